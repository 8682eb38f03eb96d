package io.ringtap.xdp;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;

/**
 * Makes the hooks that {@code --filter=CLASS[:ARGS]} names: one instance for each queue and direction, so that a filter
 * needs no lock.
 * <p>
 * CLASS is a public class on the class path that implements {@link XdpHook}; a name without a dot means one of the
 * ready-made filters of this package. With ARGS its public constructor from one String is called, else its public
 * constructor without parameters.
 */
public final class HookLoader
{
    private final String name;
    private final String arguments;
    private final Constructor<? extends XdpHook> constructor;

    private HookLoader(
        final String name, final String arguments, final Constructor<? extends XdpHook> constructor)
    {
        this.name = name;
        this.arguments = arguments;
        this.constructor = constructor;
    }

    /**
     * Looks the class up and makes a first instance to see that its arguments are right.
     *
     * @param specification {@code CLASS} or {@code CLASS:ARGS}.
     * @throws HookLoadException saying in one line what is wrong with it.
     */
    public static HookLoader of(final String specification)
    {
        final int colon = specification.indexOf(':');
        final String name = colon < 0 ? specification : specification.substring(0, colon);
        final String arguments = colon < 0 ? null : specification.substring(colon + 1);
        if (name.isBlank())
        {
            throw new HookLoadException("filter '" + specification + "' names no class; write CLASS[:ARGS]", null);
        }
        final Class<? extends XdpHook> type = find(name);
        final HookLoader loader = new HookLoader(specification, arguments, constructor(name, type, null != arguments));
        loader.newHook();
        return loader;
    }

    /** What the operator wrote. */
    public String name()
    {
        return name;
    }

    /** Another instance, for another queue or direction. */
    public NamedHook newHook()
    {
        try
        {
            final XdpHook hook = null == arguments ? constructor.newInstance() : constructor.newInstance(arguments);
            return new NamedHook(name, hook);
        }
        catch (final InvocationTargetException failure)
        {
            final Throwable cause = failure.getCause();
            final String text = null == cause.getMessage() ? cause.toString() : cause.getMessage();
            throw new HookLoadException("filter " + name + ": " + text.replaceAll("\\s+", " "), cause);
        }
        catch (final ReflectiveOperationException | LinkageError failure)
        {
            throw new HookLoadException("filter " + name + " cannot be made: " + failure, failure);
        }
    }

    private static Class<? extends XdpHook> find(final String name)
    {
        final String full = name.indexOf('.') < 0 ? HookLoader.class.getPackageName() + '.' + name : name;
        final Class<?> type;
        try
        {
            type = Class.forName(full, false, loaderOfFilters());
        }
        catch (final ClassNotFoundException missing)
        {
            throw new HookLoadException(
                "filter class " + full + " was not found on the class path (add its jar with -cp)", missing);
        }
        catch (final LinkageError broken)
        {
            throw new HookLoadException("filter class " + full + " cannot be loaded: " + broken, broken);
        }
        if (!XdpHook.class.isAssignableFrom(type))
        {
            throw new HookLoadException(
                "filter class " + full + " does not implement " + XdpHook.class.getName(), null);
        }
        if (Modifier.isAbstract(type.getModifiers()) || !Modifier.isPublic(type.getModifiers()))
        {
            throw new HookLoadException("filter class " + full + " is not a public class that can be made", null);
        }
        return type.asSubclass(XdpHook.class);
    }

    private static ClassLoader loaderOfFilters()
    {
        final ClassLoader ofThread = Thread.currentThread().getContextClassLoader();
        return null == ofThread ? HookLoader.class.getClassLoader() : ofThread;
    }

    private static Constructor<? extends XdpHook> constructor(
        final String name, final Class<? extends XdpHook> type, final boolean withArguments)
    {
        try
        {
            return withArguments ? type.getConstructor(String.class) : type.getConstructor();
        }
        catch (final NoSuchMethodException missing)
        {
            throw new HookLoadException(
                withArguments ?
                    "filter " + name + " takes no arguments (no public constructor from a String)" :
                    "filter " + name + " needs arguments: write " + name + ":ARGS",
                missing);
        }
    }
}
