package io.ringtap.frontend;

import io.ringtap.frontend.BackendScript.Fault;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Sockets;
import io.ringtap.vhost.protocol.ProtocolFeature;
import io.ringtap.vhost.protocol.Request;
import io.ringtap.vhost.virtio.NetFeatures;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** {@link Frontend} against a scripted back-end: QEMU's order of messages, and what it makes of bad answers. */
class FrontendTest
{
    private static final long FEATURES = FrontendConfig.DEFAULT_FEATURES;
    private static final String WORD = "0x" + Long.toHexString(FEATURES);
    private static final long PROTOCOL = ProtocolFeature.mask(
        ProtocolFeature.MQ, ProtocolFeature.REPLY_ACK, ProtocolFeature.BACKEND_REQ, ProtocolFeature.STATUS,
        ProtocolFeature.NET_MTU);
    private static final String PROTOCOL_WORD = "0x" + Long.toHexString(PROTOCOL);

    private final Fd[] ends = new Fd[2];
    private BackendScript script;
    private Frontend frontend;

    @AfterEach
    void tearDown()
    {
        if (null != frontend)
        {
            frontend.close();
        }
        if (null != script)
        {
            script.close();
        }
    }

    @Test
    void shouldSpeakInTheOrderOfQemu()
    {
        launch(new FrontendConfig(), FEATURES, PROTOCOL);
        frontend.connect();
        assertEquals(List.of(
            "GET_FEATURES", "GET_PROTOCOL_FEATURES", "SET_PROTOCOL_FEATURES[" + PROTOCOL_WORD + "]", "GET_QUEUE_NUM",
            "SET_BACKEND_REQ_FD+NR+1fd", "SET_OWNER", "GET_FEATURES",
            "SET_VRING_CALL[0]+1fd", "SET_VRING_ERR[0]+1fd", "SET_VRING_CALL[1]+1fd", "SET_VRING_ERR[1]+1fd",
            "SET_VRING_ENABLE+NR[0,1]", "SET_VRING_ENABLE+NR[1,1]"), script.log());

        frontend.start();
        assertEquals(List.of(
            "SET_VRING_ENABLE+NR[0,1]", "SET_VRING_ENABLE+NR[1,1]", "SET_FEATURES[" + WORD + "]",
            "GET_STATUS", "SET_STATUS[0x8]", "SET_MEM_TABLE+NR[1 regions]+1fd",
            "SET_VRING_NUM[0,256]", "SET_VRING_BASE[0,0]", "SET_VRING_ADDR[0]", "SET_VRING_KICK[0]+1fd",
            "SET_VRING_CALL[0]+1fd",
            "SET_VRING_NUM[1,256]", "SET_VRING_BASE[1,0]", "SET_VRING_ADDR[1]", "SET_VRING_KICK[1]+1fd",
            "SET_VRING_CALL[1]+1fd", "GET_STATUS", "SET_STATUS[0xf]"), settled());

        frontend.stop();
        assertEquals(List.of("SET_STATUS[0x0]", "GET_VRING_BASE[0,0]", "GET_VRING_BASE[1,0]"), script.log());
        frontend.start();
        assertTrue(settled().containsAll(List.of("SET_VRING_BASE[0,7]", "SET_VRING_BASE[1,7]")));
    }

    @Test
    void shouldRepeatItselfForTheSecondPair()
    {
        launch(new FrontendConfig().queuePairs(2), FEATURES, PROTOCOL);
        frontend.connect();
        final List<String> hello = script.log();
        assertEquals(List.of(
            "GET_FEATURES", "GET_PROTOCOL_FEATURES", "SET_PROTOCOL_FEATURES[" + PROTOCOL_WORD + "]", "GET_FEATURES",
            "SET_VRING_CALL[2]+1fd", "SET_VRING_ERR[2]+1fd", "SET_VRING_CALL[3]+1fd", "SET_VRING_ERR[3]+1fd",
            "SET_VRING_ENABLE+NR[0,1]", "SET_VRING_ENABLE+NR[1,1]", "SET_VRING_ENABLE+NR[2,0]",
            "SET_VRING_ENABLE+NR[3,0]"), hello.subList(11, hello.size()));

        frontend.start();
        final List<String> start = settled();
        assertEquals(2, start.stream().filter(line -> line.startsWith("SET_FEATURES")).count());
        assertEquals(1, start.stream().filter(line -> line.startsWith("SET_MEM_TABLE")).count());
        assertEquals(List.of(
            "SET_STATUS[0xf]", "SET_VRING_ENABLE+NR[0,1]", "SET_VRING_ENABLE+NR[1,1]", "SET_VRING_ENABLE+NR[2,1]",
            "SET_VRING_ENABLE+NR[3,1]"), start.subList(start.size() - 5, start.size()));
    }

    @Test
    void shouldDoWithoutProtocolFeatures()
    {
        launch(new FrontendConfig(), NetFeatures.bit(NetFeatures.VERSION_1), 0);
        frontend.connect();
        frontend.start();

        assertEquals(List.of(
            "GET_FEATURES", "SET_OWNER", "GET_FEATURES", "SET_VRING_CALL[0]+1fd"), script.log().subList(0, 4));
        assertEquals(NetFeatures.bit(NetFeatures.VERSION_1), frontend.features());
    }

    @Test
    void shouldUseABarrierWithoutAcksAndNoStatusWithoutStatus()
    {
        launch(new FrontendConfig().regions(4, 0), FEATURES, ProtocolFeature.MQ.mask());
        frontend.connect();
        settled();
        frontend.start();

        final List<String> start = settled();
        assertEquals(List.of(
            "SET_VRING_ENABLE[0,1]", "SET_VRING_ENABLE[1,1]", "SET_FEATURES[" + WORD + "]",
            "SET_MEM_TABLE[4 regions]+4fd", "GET_FEATURES"), start.subList(0, 5));
        assertFalse(start.stream().anyMatch(line -> line.contains("STATUS")));
    }

    @Test
    void shouldAskForAnAckOfEverythingOrPoll()
    {
        launch(new FrontendConfig().acksEverything(true).hasNotifications(false).mtu(9000), FEATURES, PROTOCOL);
        frontend.connect();
        frontend.start();

        final List<String> all = script.log();
        assertTrue(all.containsAll(List.of(
            "SET_OWNER+NR", "SET_VRING_NUM+NR[0,256]", "SET_VRING_KICK+NR[256]", "SET_VRING_CALL+NR[257]",
            "NET_SET_MTU+NR[0x2328]")), all.toString());
    }

    @Test
    void shouldAddRegionsOneByOneWithMemorySlots()
    {
        final long slots = PROTOCOL | ProtocolFeature.CONFIGURE_MEM_SLOTS.mask();
        launch(new FrontendConfig().regions(3, 0).protocolFeatures(slots), FEATURES, slots);
        frontend.connect();
        assertTrue(script.log().contains("GET_MAX_MEM_SLOTS"));
        frontend.start();
        assertEquals(3, settled().stream().filter("ADD_MEM_REG+NR[40 bytes]+1fd"::equals).count());

        final FrontendMemory more = FrontendMemory.create(0x8000_0000L, 1 << 20, 1, 0);
        frontend.plug(more);
        frontend.unplug(more);
        assertEquals(List.of("ADD_MEM_REG+NR[40 bytes]+1fd", "REM_MEM_REG+NR[40 bytes]"), script.log());
    }

    @Test
    void shouldReplaceTheTableAtRunTime()
    {
        launch(new FrontendConfig(), FEATURES, PROTOCOL);
        frontend.connect();
        frontend.start();
        settled();
        frontend.splitMemory(3);
        final FrontendMemory more = FrontendMemory.create(0x8000_0000L, 1 << 20, 1, 0);
        frontend.plug(more);
        frontend.unplug(more);
        frontend.enable(0, false);

        assertEquals(List.of(
            "SET_MEM_TABLE+NR[3 regions]+3fd", "SET_MEM_TABLE+NR[4 regions]+4fd", "SET_MEM_TABLE+NR[3 regions]+3fd",
            "SET_VRING_ENABLE+NR[0,0]", "SET_VRING_ENABLE+NR[1,0]"), script.log());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value =
    {
        "GET_FEATURES          | WRONG_FLAGS   | reply to GET_FEATURES has request 1, flags 0x1, size 8",
        "GET_FEATURES          | WRONG_REQUEST | reply to GET_FEATURES has request 2",
        "GET_PROTOCOL_FEATURES | WRONG_SIZE    | reply to GET_PROTOCOL_FEATURES has 4 bytes, expected 8",
        "GET_QUEUE_NUM         | HANG_UP       | back-end hung up instead of replying to GET_QUEUE_NUM",
        "SET_BACKEND_REQ_FD    | REFUSE        | back-end refused SET_BACKEND_REQ_FD (ack 1)",
        "SET_MEM_TABLE         | REFUSE        | back-end refused SET_MEM_TABLE (ack 1)",
        "SET_MEM_TABLE         | SILENCE       | no reply to SET_MEM_TABLE within 300 ms",
        "SET_FEATURES          | HANG_UP       | hung up",
        "GET_VRING_BASE        | WRONG_FLAGS   | reply to GET_VRING_BASE has request 11, flags 0x1",
    })
    void shouldSayWhatIsWrongWithAnAnswer(final Request request, final Fault fault, final String expected)
    {
        prepare(new FrontendConfig().timeoutMs(300), FEATURES, PROTOCOL);
        script.misbehave(request, fault).launch();
        final String message = assertThrows(FrontendException.class, () ->
        {
            frontend.connect();
            frontend.start();
            frontend.stop();
        }).getMessage();

        assertTrue(message.contains(expected), message);
        assertFalse(message.contains("\n"));
    }

    @Test
    void shouldTakeRepliesInPieces()
    {
        prepare(new FrontendConfig(), FEATURES, PROTOCOL);
        script.misbehave(Request.GET_FEATURES, Fault.IN_PIECES).launch();
        frontend.connect();

        assertEquals(FEATURES, frontend.features());
    }

    @Test
    void shouldNotAskForMorePairsThanThereAre()
    {
        prepare(new FrontendConfig().queuePairs(3), FEATURES, PROTOCOL);
        script.answer(Request.GET_QUEUE_NUM, 2).launch();

        final String message = assertThrows(FrontendException.class, frontend::connect).getMessage();
        assertEquals("back-end serves 2 queue pairs, 3 were asked for", message);
    }

    @Test
    void shouldSayWhenNobodyIsThere(@TempDir final Path directory)
    {
        final String path = directory.resolve("none.sock").toString();
        frontend = new Frontend(new FrontendConfig().socketPath(path).timeoutMs(50));
        final String message = assertThrows(FrontendException.class, frontend::connect).getMessage();
        assertEquals("no back-end at " + path + " within 50 ms (ENOENT)", message);

        final Frontend server = new Frontend(new FrontendConfig().socketPath(path).isServer(true).timeoutMs(50));
        final String waiting = assertThrows(FrontendException.class, server::connect).getMessage();
        assertEquals("no back-end connected to " + path + " within 50 ms", waiting);
        server.close();
    }

    @Test
    void shouldRefuseConfigurationsThatCannotBe()
    {
        assertThrows(IllegalArgumentException.class, () -> new Frontend(new FrontendConfig()));
        for (final FrontendConfig config : List.of(
            new FrontendConfig().ringSize(48),
            new FrontendConfig().queuePairs(0),
            new FrontendConfig().transmitBytes(100_000),
            new FrontendConfig().mtu(70_000),
            new FrontendConfig().descriptorsPerFrame(0, false)))
        {
            assertThrows(IllegalArgumentException.class, () -> new Frontend(config.socketPath("/nowhere")));
        }
    }

    /** What was sent, after an answer shows that everything before it arrived. */
    private List<String> settled()
    {
        frontend.connection().ask(Request.GET_FEATURES);
        final List<String> log = script.log();
        return log.subList(0, log.size() - 1);
    }

    private void launch(final FrontendConfig config, final long features, final long protocolFeatures)
    {
        prepare(config, features, protocolFeatures);
        script.launch();
    }

    private void prepare(final FrontendConfig config, final long features, final long protocolFeatures)
    {
        Sockets.socketPair(ends, Sockets.SOCK_STREAM);
        script = new BackendScript(ends[1], features, protocolFeatures);
        frontend = new Frontend(config.socket(ends[0]));
    }
}
