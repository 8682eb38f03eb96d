package io.ringtap.it.rig;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

/** Both notations of apt, and what must not be taken for a mirror. */
class AptSourcesTest
{
    @Test
    void shouldTakeMirrorAndKeyFromOneLineNotation()
    {
        final String text = """
            # deb http://commented.invalid/debian bookworm main
            deb http://security.invalid/debian-security bookworm-security main
            deb [arch=amd64 signed-by=/keys/own.gpg] http://mirror.invalid/debian bookworm main contrib
            """;

        assertEquals("deb [signed-by=/keys/own.gpg] http://mirror.invalid/debian bookworm-backports main",
            AptSources.fromLines(text, "bookworm", "bookworm-backports"));
    }

    @Test
    void shouldTakeMirrorFromStanzaOfTheRelease()
    {
        final String text = """
            Types: deb
            URIs: http://other.invalid/repo
            Suites: nodistro
            Components: main

            Types: deb deb-src
            URIs: http://mirror.invalid/debian
            Suites: bookworm bookworm-updates
            Components: main
            Signed-By: /keys/debian.gpg
            """;

        assertEquals("deb [signed-by=/keys/debian.gpg] http://mirror.invalid/debian bookworm-backports main",
            AptSources.fromStanzas(text, "bookworm", "bookworm-backports"));
    }

    @Test
    void shouldFindNothingWhereOnlyOtherReleasesAreNamed()
    {
        assertNull(AptSources.fromLines("deb http://mirror.invalid/x stable main\n", "bookworm", "bookworm-backports"));
        assertNull(AptSources.fromStanzas("Types: deb\nSuites: sid\nURIs: http://m.invalid\nComponents: main\n",
            "bookworm", "bookworm-backports"));
    }
}
