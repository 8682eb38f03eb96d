package io.ringtap.command;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Waits for the end: SIGTERM and SIGINT end the program with exit code 0 and everything closed, a second one at once.
 * <p>
 * Without a handler the JVM would exit with 143, which a supervisor takes for a failure. The signal classes are reached
 * by reflection, because the compiler cannot be told to accept them and to treat warnings as errors.
 */
final class Termination
{
    private final CountDownLatch end = new CountDownLatch(1);

    /** Takes over SIGTERM and SIGINT; where the JVM does not allow it (-Xrs) its own handling stays. */
    static Termination install()
    {
        final Termination termination = new Termination();
        termination.handle("TERM");
        termination.handle("INT");
        return termination;
    }

    /** Ends the wait from inside. */
    void signal()
    {
        end.countDown();
    }

    boolean isSignalled()
    {
        return 0 == end.getCount();
    }

    void await() throws InterruptedException
    {
        end.await();
    }

    /** @return true when the end came within the time. */
    boolean await(final long timeoutMs) throws InterruptedException
    {
        return end.await(timeoutMs, TimeUnit.MILLISECONDS);
    }

    private void handle(final String name)
    {
        try
        {
            final Class<?> signal = Class.forName("sun.misc.Signal");
            final Class<?> handler = Class.forName("sun.misc.SignalHandler");
            final InvocationHandler onSignal = (proxy, method, arguments) ->
            {
                return switch (method.getName())
                {
                    case "handle" -> onSignal();
                    case "equals" -> proxy == arguments[0];
                    case "hashCode" -> System.identityHashCode(proxy);
                    default -> name;
                };
            };
            final Object proxy =
                Proxy.newProxyInstance(handler.getClassLoader(), new Class<?>[]{handler}, onSignal);
            signal.getMethod("handle", signal, handler)
                .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
        }
        catch (final ReflectiveOperationException ignored)
        {
            // The JVM keeps its own handling: the exit code is then 143, nothing else differs.
        }
    }

    private Object onSignal()
    {
        if (isSignalled())
        {
            Runtime.getRuntime().halt(Program.FAILED);
        }
        signal();
        return null;
    }
}
