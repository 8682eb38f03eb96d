package io.ringtap.vhost.virtio;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

import java.io.IOException;
import java.io.InputStream;

/**
 * Loads our classes anew, with a {@link KillSwitch} before each store of a {@code GuestWindow}: a test can end a device
 * between any two of them without a seam in the code that ships.
 */
final class KillingLoader extends ClassLoader
{
    private static final String OURS = "io.ringtap.";
    private static final String WINDOW = "io.ringtap.vhost.guest.GuestWindow";

    KillingLoader()
    {
        super(KillingLoader.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(final String name, final boolean resolve) throws ClassNotFoundException
    {
        synchronized (getClassLoadingLock(name))
        {
            if (!name.startsWith(OURS))
            {
                return super.loadClass(name, resolve);
            }
            final Class<?> known = findLoadedClass(name);
            return known != null ? known : define(name);
        }
    }

    private Class<?> define(final String name) throws ClassNotFoundException
    {
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class"))
        {
            if (in == null)
            {
                throw new ClassNotFoundException(name);
            }
            final byte[] code = WINDOW.equals(name) ? armed(in.readAllBytes()) : in.readAllBytes();
            return defineClass(name, code, 0, code.length);
        }
        catch (final IOException ex)
        {
            throw new ClassNotFoundException(name, ex);
        }
    }

    private static byte[] armed(final byte[] window)
    {
        final ClassReader reader = new ClassReader(window);
        final ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(new ClassVisitor(Opcodes.ASM9, writer)
        {
            @Override
            public MethodVisitor visitMethod(
                final int access, final String name, final String descriptor, final String signature,
                final String[] exceptions)
            {
                final MethodVisitor visitor = super.visitMethod(access, name, descriptor, signature, exceptions);
                return !name.startsWith("put") ? visitor : new MethodVisitor(Opcodes.ASM9, visitor)
                {
                    @Override
                    public void visitCode()
                    {
                        super.visitCode();
                        visitMethodInsn(Opcodes.INVOKESTATIC,
                            "io/ringtap/vhost/virtio/KillSwitch", "store", "()V", false);
                    }
                };
            }
        }, 0);
        return writer.toByteArray();
    }
}
