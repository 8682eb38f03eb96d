package io.ringtap;

import io.ringtap.sys.Credentials;
import io.ringtap.sys.SyscallException;

/**
 * The user that a process becomes once its ports are open.
 *
 * @param text as it was given.
 */
record RunAs(String text, int uid, int gid)
{
    private static final String OPTION = "--run-as=";

    /**
     * Looks the names up.
     *
     * @param text USER or USER:GROUP, each a name or a number.
     * @throws ConfigException when this host does not know them.
     */
    static RunAs of(final String text)
    {
        final int colon = text.indexOf(':');
        final String name = colon < 0 ? text : text.substring(0, colon);
        final String group = colon < 0 ? null : text.substring(colon + 1);
        final Credentials.User user = user(name);
        if (null == user && (!isNumber(name) || null == group))
        {
            throw new ConfigException(OPTION + text, "no such user on this host", "give for example " + OPTION +
                "nobody, or numbers as UID:GID");
        }
        final int uid = null == user ? Integer.parseInt(name) : user.uid();
        final int gid = null == group ? user.gid() : group(text, group);
        if (0 == uid)
        {
            throw new ConfigException(OPTION + text, "that is root, who has every right", "give another user");
        }
        return new RunAs(text, uid, gid);
    }

    /** Makes every thread that user's; one that already is goes on with the rights it was given. */
    void become()
    {
        if (Credentials.effectiveUser() == uid)
        {
            return;
        }
        try
        {
            Credentials.become(uid, gid);
        }
        catch (final SyscallException ex)
        {
            throw new ConfigException(OPTION + text, ex.errnoName() + " at " + ex.getMessage(),
                "start as root, or leave it out and start as that user");
        }
    }

    private static Credentials.User user(final String name)
    {
        return isNumber(name) ? Credentials.user(Integer.parseInt(name)) : isName(name) ? Credentials.user(name) : null;
    }

    private static int group(final String text, final String group)
    {
        final int gid = isNumber(group) ? Integer.parseInt(group) : isName(group) ? Credentials.group(group) : -1;
        if (gid < 0)
        {
            throw new ConfigException(OPTION + text, "no such group on this host", "give a group of /etc/group");
        }
        return gid;
    }

    private static boolean isName(final String name)
    {
        return !name.isEmpty() && name.length() <= 256 && name.indexOf('\0') < 0;
    }

    private static boolean isNumber(final String name)
    {
        return name.matches("[0-9]{1,9}");
    }
}
