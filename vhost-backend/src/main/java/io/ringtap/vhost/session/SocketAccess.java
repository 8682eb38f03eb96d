package io.ringtap.vhost.session;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.EnumSet;
import java.util.Set;

/**
 * Who may connect to a socket of ours.
 *
 * @param mode  permission bits of the file, such as 0660; {@link #UNCHANGED} leaves them to the umask.
 * @param owner user name or number; null leaves it.
 * @param group group name or number; null leaves it.
 */
public record SocketAccess(int mode, String owner, String group)
{
    /** Stands for a mode that is not given. */
    public static final int UNCHANGED = -1;

    /** Everything as the process would have it. */
    public static final SocketAccess DEFAULT = new SocketAccess(UNCHANGED, null, null);

    private static final int MAX_MODE = 0777;

    /** Refuses a mode that is none. */
    public SocketAccess
    {
        if (mode < UNCHANGED || mode > MAX_MODE)
        {
            throw new SocketPathException("socket mode " + Integer.toOctalString(mode) + " is not within 0..777");
        }
    }

    /** The group and owner first: the mode may give them rights that nobody else should have had meanwhile. */
    void apply(final Path path)
    {
        String what = "group " + group;
        try
        {
            final UserPrincipalLookupService names = path.getFileSystem().getUserPrincipalLookupService();
            if (null != group)
            {
                Files.getFileAttributeView(path, PosixFileAttributeView.class)
                    .setGroup(names.lookupPrincipalByGroupName(group));
            }

            what = "owner " + owner;
            if (null != owner)
            {
                Files.setOwner(path, names.lookupPrincipalByName(owner));
            }

            what = "mode " + Integer.toOctalString(mode);
            if (UNCHANGED != mode)
            {
                Files.setPosixFilePermissions(path, permissions());
            }
        }
        catch (final IOException ex)
        {
            throw new SocketPathException("cannot give the socket " + path + " the " + what + ": " + ex, ex);
        }
    }

    private Set<PosixFilePermission> permissions()
    {
        final Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
        final PosixFilePermission[] all = PosixFilePermission.values();
        for (int i = 0; i < all.length; i++)
        {
            // They are declared from the owner's read bit, 0400, to the others' execute bit, 0001.
            if (0 != (mode & (0400 >> i)))
            {
                permissions.add(all[i]);
            }
        }

        return permissions;
    }
}
