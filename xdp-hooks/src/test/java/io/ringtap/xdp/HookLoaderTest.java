package io.ringtap.xdp;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What {@link HookLoader} promises. */
class HookLoaderTest
{
    @Test
    void shouldMakeReadyMadeFilterByItsShortName()
    {
        final HookLoader loader = HookLoader.of("UdpPortFilter:53");

        assertInstanceOf(UdpPortFilter.class, loader.newHook().hook());
        assertEquals("UdpPortFilter:53", loader.newHook().name());
    }

    @Test
    void shouldKeepColonsInArguments()
    {
        assertInstanceOf(SourceMacFilter.class, HookLoader.of("SourceMacFilter:52:54:00:12:34:56").newHook().hook());
    }

    @Test
    void shouldMakeAnInstanceEachTime()
    {
        final HookLoader loader = HookLoader.of(Plain.class.getName());

        assertNotSame(loader.newHook().hook(), loader.newHook().hook());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value =
    {
        "NoSuchFilter                                  | filter class io.ringtap.xdp.NoSuchFilter was not found",
        "a.b.C:x                                       | filter class a.b.C was not found on the class path",
        "java.lang.String                              | does not implement io.ringtap.xdp.XdpHook",
        "UdpPortFilter                                 | needs arguments: write UdpPortFilter:ARGS",
        "UdpPortFilter:70000                           | '70000' in '70000' is not a port of 0 to 65535",
        "UdpPortFilter:                                | is not a port",
        "UdpPortFilter:9-3                             | port range 9-3 ends before it begins",
        "SourceMacFilter:12:34                         | '12:34' is not a MAC",
        "SourceMacFilter:01:00:5e:00:00:01             | multicast or zero",
        "SourceMacFilter:52:54:00:12:34:5g             | '5g' in MAC",
        "io.ringtap.xdp.HookLoaderTest$Plain:x         | takes no arguments",
        "io.ringtap.xdp.HookLoaderTest$Hidden          | is not a public class that can be made",
        "io.ringtap.xdp.HookLoaderTest$Failing         | filter io.ringtap.xdp.HookLoaderTest$Failing: no luck today",
        "io.ringtap.xdp.XdpHook                        | is not a public class that can be made",
        ":x                                            | names no class",
    })
    void shouldSayInOneLineWhatIsWrong(final String specification, final String expected)
    {
        final String message =
            assertThrows(HookLoadException.class, () -> HookLoader.of(specification)).getMessage();

        assertTrue(message.contains(expected), message);
        assertFalse(message.contains("\n"), message);
    }

    /** A filter without arguments. */
    public static final class Plain implements XdpHook
    {
        @Override
        public int onFrame(final FrameView frame)
        {
            return XdpVerdict.PASS;
        }
    }

    /** A filter that cannot be made. */
    public static final class Failing implements XdpHook
    {
        /** Fails. */
        public Failing()
        {
            throw new IllegalStateException("no luck\ntoday");
        }

        @Override
        public int onFrame(final FrameView frame)
        {
            return XdpVerdict.PASS;
        }
    }

    /** A filter nobody else may see. */
    static final class Hidden implements XdpHook
    {
        @Override
        public int onFrame(final FrameView frame)
        {
            return XdpVerdict.PASS;
        }
    }
}
