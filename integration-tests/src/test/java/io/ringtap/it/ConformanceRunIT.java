package io.ringtap.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The last test of a whole {@code mvn verify}: every test that {@code docs/conformance.md} names as a proof ran in this
 * build, and passed. Not part of a run of single tests.
 */
class ConformanceRunIT
{
    private static final Path ROOT = Path.of(System.getProperty("ringtap.root"));
    private static final Pattern PROOF = Pattern.compile("`(\\w+(?:Test|IT)(?:\\.should\\w+)?)`");

    @Test
    void shouldHaveSeenEveryProofRunAndPass() throws IOException
    {
        final TestReports reports = TestReports.read(ROOT);
        final Set<String> missing = new TreeSet<>();
        final Set<String> failed = new TreeSet<>();
        int rows = 0;
        TestReports.Cases all = TestReports.Cases.NONE;
        final Set<String> proofs = new TreeSet<>();
        for (final String line : Files.readAllLines(ROOT.resolve("docs/conformance.md")))
        {
            final Matcher named = PROOF.matcher(line);
            boolean isProven = false;
            while (line.startsWith("|") && named.find())
            {
                isProven = true;
                proofs.add(named.group(1));
            }
            rows += isProven ? 1 : 0;
        }
        for (final String proof : proofs)
        {
            final TestReports.Cases cases = reports.of(proof);
            all = all.plus(cases);
            if (0 == cases.ran())
            {
                missing.add(proof);
            }
            if (0 < cases.failed())
            {
                failed.add(proof);
            }
        }
        System.out.println(rows + " messages and features, proven by " + proofs.size() + " tests with " + all.ran() +
            " cases in this build");
        assertFalse(proofs.isEmpty(), "docs/conformance.md names no test");
        assertEquals(Set.of(), missing, "did not run in this build");
        assertEquals(Set.of(), failed, "ran, and did not pass");
    }
}
