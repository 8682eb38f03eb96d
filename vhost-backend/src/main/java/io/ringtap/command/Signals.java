package io.ringtap.command;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/**
 * Lets us act on signals. The signal classes are reached by reflection, because the compiler cannot be told to accept
 * them and to treat warnings as errors.
 */
final class Signals
{
    private Signals()
    {
    }

    /**
     * Takes over a signal; where the JVM does not allow it (-Xrs) its own handling stays.
     *
     * @param name   without SIG.
     * @param action run on a thread of its own for each signal.
     */
    static void handle(final String name, final Runnable action)
    {
        try
        {
            final Class<?> signal = Class.forName("sun.misc.Signal");
            final Class<?> handler = Class.forName("sun.misc.SignalHandler");
            final InvocationHandler onSignal = (proxy, method, arguments) ->
            {
                return switch (method.getName())
                {
                    case "handle" ->
                    {
                        action.run();
                        yield null;
                    }
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
            // The JVM keeps its own handling: the exit code is then 143 or 129, nothing else differs.
        }
    }

    /** Sends one to ourselves. */
    static void raise(final String name)
    {
        try
        {
            final Class<?> signal = Class.forName("sun.misc.Signal");
            signal.getMethod("raise", signal).invoke(null, signal.getConstructor(String.class).newInstance(name));
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new IllegalStateException("SIG" + name + " cannot be sent to ourselves", ex);
        }
    }
}
