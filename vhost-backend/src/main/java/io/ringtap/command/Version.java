package io.ringtap.command;

import picocli.CommandLine.IVersionProvider;

/** The version from the jar's manifest, and what it runs on: both belong in a bug report. */
final class Version implements IVersionProvider
{
    @Override
    public String[] getVersion()
    {
        return new String[]{
            "ringtap " + number(),
            "Java " + Runtime.version() + ", " + System.getProperty("os.name") + " " +
                System.getProperty("os.version") + " " + System.getProperty("os.arch")};
    }

    static String number()
    {
        final String version = Version.class.getPackage().getImplementationVersion();
        return null == version ? "(not from a jar)" : version;
    }
}
