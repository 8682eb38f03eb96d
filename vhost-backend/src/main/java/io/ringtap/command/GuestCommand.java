package io.ringtap.command;

import io.ringtap.frontend.FrontendException;
import io.ringtap.frontend.Guest;
import io.ringtap.frontend.MacAddress;
import io.ringtap.frontend.SinkCounter;
import io.ringtap.vhost.virtio.NetFeatures;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.util.concurrent.Callable;

/** {@code ringtap guest}: plays a virtual machine for a back-end, without one. */
@Command(name = "guest", sortOptions = false,
    customSynopsis = "ringtap guest --socket-path=PATH | --fd=N  [--respond | --pktgen | --sink]  [options]",
    description = {
        "",
        "Plays a virtual machine: the front-end's half of vhost-user and the driver's half of the rings, with a " +
            "small network stack, a generator and a sink. Serves any back-end, ours or another."},
    footer = {
        "",
        "SIGTERM and SIGINT end it with a summary. Exit codes: 0 done; 2 bad usage or input; 1 anything else.",
        "",
        "Example, with a TAP that has 10.0.0.1:",
        "  ringtap --socket-path=/tmp/vm.sock --tap=tap0 &",
        "  ringtap guest --socket-path=/tmp/vm.sock --ip=10.0.0.2",
        "  ringtap guest --socket-path=/tmp/vm.sock --pktgen --to=10.0.0.1 --flows=8 --seconds=5"})
final class GuestCommand implements Callable<Integer>
{
    private static final long TICK_MS = 200;
    private static final long RESOLVE_MS = 3000;
    /** How long frames that were sent may take to come back from the ring at the end. */
    private static final long DRAIN_MS = 1000;

    @Mixin
    private final GuestOptions options = new GuestOptions();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception
    {
        // Mistakes are told before anything is opened.
        final boolean isLive = options.isLive();
        options.check();
        final Termination termination = Termination.install();
        final PrintWriter out = spec.commandLine().getOut();
        try (Guest guest = new Guest(options.frontend(), options.guest()))
        {
            guest.start();
            out.println(GuestReport.connected(guest));
            if (options.isPktgen())
            {
                guest.generate(options.pktgen(nextHop(guest), guest.frontend().has(NetFeatures.CSUM)));
            }
            final GuestReport report = new GuestReport(guest, out, isLive);
            watch(guest, report, termination);
            stop(guest);
            report.summary();
            final boolean isDirty = options.isStrict() && null != guest.sink() && !guest.sink().isClean();
            return isDirty ? Program.FAILED : Program.DONE;
        }
    }

    private void watch(final Guest guest, final GuestReport report, final Termination termination)
        throws InterruptedException
    {
        final double endNs = System.nanoTime() + options.seconds() * 1e9;
        while (!termination.isSignalled() && System.nanoTime() < endNs && !isDone(guest))
        {
            termination.await(Math.max(1, Math.min(TICK_MS, (long)((endNs - System.nanoTime()) / 1e6))));
            if (null != guest.failure())
            {
                throw new IllegalStateException(
                    "the guest stopped: " + guest.failure().getMessage(), guest.failure());
            }
            if (guest.isPeerGone())
            {
                reconnect(guest, termination, endNs);
            }
            report.tick();
        }
    }

    /** So that the sums are of one moment. */
    private static void stop(final Guest guest) throws InterruptedException
    {
        guest.stopGenerating();
        final long endNs = System.nanoTime() + DRAIN_MS * 1_000_000;
        while ((guest.isGenerating() || guest.inFlight() > 0) && System.nanoTime() - endNs < 0)
        {
            Thread.sleep(1);
        }
    }

    private boolean isDone(final Guest guest)
    {
        if (options.isSink())
        {
            return guest.sink().counters().get(SinkCounter.PACKETS) >= options.count();
        }
        return options.isPktgen() && !guest.isGenerating();
    }

    private void reconnect(final Guest guest, final Termination termination, final double endNs)
    {
        if (!options.reconnects())
        {
            throw new IllegalStateException("the back-end hung up");
        }
        spec.commandLine().getErr().println("ringtap: the back-end hung up; waiting for it");
        while (!termination.isSignalled() && System.nanoTime() < endNs)
        {
            try
            {
                guest.reconnect();
                return;
            }
            catch (final FrontendException absent)
            {
                if (!absent.isAbsent())
                {
                    throw absent;
                }
            }
        }
    }

    private MacAddress nextHop(final Guest guest) throws InterruptedException
    {
        if (null != options.nextHop())
        {
            return options.nextHop();
        }
        final MacAddress found = guest.resolve(options.destination(), RESOLVE_MS);
        if (null == found)
        {
            throw new IllegalStateException(
                "nobody answered for " + options.destination().getHostAddress() + " within " + RESOLVE_MS +
                " ms; give its MAC with --to-mac");
        }
        return found;
    }
}
