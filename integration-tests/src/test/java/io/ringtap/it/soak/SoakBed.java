package io.ringtap.it.soak;

import io.ringtap.it.rig.Await;
import io.ringtap.it.rig.BpfSources;
import io.ringtap.it.rig.HostFiles;
import io.ringtap.it.rig.HostProcess;
import io.ringtap.it.rig.Lab;
import io.ringtap.it.rig.ProcessView;
import io.ringtap.it.rig.Ringtap;
import io.ringtap.it.rig.Shell;
import io.ringtap.vhost.ops.ControlClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A namespace with a backend of two NICs on two TAPs, a guest on each, and what steers them. */
final class SoakBed implements AutoCloseable
{
    static final List<String> HOSTS = List.of("198.18.7.1", "198.18.8.1");
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final List<String> NAMES = List.of("a", "b");

    private final Lab lab = Lab.open(SoakBed.class);
    private final Path control = lab.socket("control.sock");
    private final Path file = lab.file("ports.yaml");
    private final Path object;
    private final List<SoakGuest> guests;
    private Ringtap backend;
    private List<String> descriptors;
    private int lives;

    SoakBed()
    {
        try
        {
            object = BpfSources.compile("steer", lab.file("objects"));
            for (final String name : NAMES)
            {
                // They stay when the backend is killed, so that the host's side goes on.
                lab.netns().addTap(tap(name), false);
                final String host = HOSTS.get(NAMES.indexOf(name));
                lab.netns().up(tap(name), host + "/24");
                lab.start("sink-" + name, "socat", "-u", "UDP4-RECV:9,bind=" + host, "OPEN:/dev/null");
            }
            Await.until("the sinks", LIMIT, () ->
                NAMES.size() == lab.netns().check("cat", "/proc/net/udp").lines()
                    .filter((line) -> line.contains(":0009 ")).count());
            configure(false);
            guests = List.of(new SoakGuest(lab.socket("a"), false, "198.18.7.2"),
                new SoakGuest(lab.socket("b"), true, "198.18.8.2"));
            serve();
            guests.forEach(SoakGuest::start);
        }
        catch (final RuntimeException ex)
        {
            lab.close();
            throw ex;
        }
    }

    List<SoakGuest> guests()
    {
        return guests;
    }

    Lab lab()
    {
        return lab;
    }

    Path object()
    {
        return object;
    }

    String tap(final int guest)
    {
        return tap(NAMES.get(guest));
    }

    String name(final int guest)
    {
        return NAMES.get(guest);
    }

    HostProcess process()
    {
        return backend.process();
    }

    ProcessView view()
    {
        return backend.view();
    }

    /** What the backend had open before any guest came. */
    List<String> descriptors()
    {
        return descriptors;
    }

    int lives()
    {
        return lives;
    }

    /** A backend in a process of its own, in the sandbox. */
    void serve()
    {
        HostFiles.delete(control);
        backend = Ringtap.config(lab, "ringtap-" + lives, file, lab.socket("a"), lab.socket("b"));
        lives++;
        Await.until("the control socket", LIMIT, () -> Files.exists(control));
        Await.settled(Duration.ofMillis(300), LIMIT, () -> (long)view().descriptors().size());
        descriptors = view().descriptors();
    }

    /** SIGKILL; guests see their connections end. */
    void kill()
    {
        backend.kill();
        Await.until("its end", LIMIT, () -> !backend.process().isAlive());
        guests.forEach((guest) -> Await.until("the guest to notice", LIMIT, guest.guest()::isPeerGone));
        HostFiles.delete(lab.socket("a"));
        HostFiles.delete(lab.socket("b"));
        HostFiles.delete(lab.socket("c"));
        configure(false);
    }

    /** Lets the backend read its file again, with one NIC more or less. */
    void reload(final boolean hasThird)
    {
        configure(hasThird);
        Shell.check("kill", "-HUP", Long.toString(backend.process().pid()));
        Await.until("the third port", LIMIT, () -> hasThird == Files.exists(lab.socket("c")));
    }

    Map<String, Object> ask(final String command, final Object... pairs)
    {
        final Map<String, Object> request = new LinkedHashMap<>();
        request.put("command", command);
        for (int i = 0; i < pairs.length; i += 2)
        {
            request.put((String)pairs[i], pairs[i + 1]);
        }
        try (ControlClient client = ControlClient.connect(control.toString()))
        {
            return client.ask(request);
        }
    }

    /** Datagrams that reached the host's sockets, read or not; of a super-frame each. */
    long datagrams()
    {
        return lab.netns().udp("InDatagrams") + lab.netns().udp("NoPorts") + lab.netns().udp("InErrors");
    }

    @Override
    public void close()
    {
        guests.forEach(SoakGuest::close);
        lab.close();
    }

    private void configure(final boolean hasThird)
    {
        final StringBuilder text = new StringBuilder("control: " + control + "\nsandbox: on\nports:\n");
        for (final String name : NAMES)
        {
            text.append("  ").append(name).append(": {socket-path: ").append(lab.socket(name)).append(", tap: ")
                .append(tap(name)).append("}\n");
        }
        if (hasThird)
        {
            text.append("  c: {socket-path: ").append(lab.socket("c")).append(", tap: tap-c}\n");
        }
        HostFiles.write(file, text.toString());
    }

    private static String tap(final String name)
    {
        return "tap-" + name;
    }
}
