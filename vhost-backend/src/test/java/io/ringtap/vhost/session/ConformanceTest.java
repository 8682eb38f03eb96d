package io.ringtap.vhost.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;

import org.junit.jupiter.api.Test;

/** Keeps {@code docs/conformance.md} true. */
class ConformanceTest
{
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path FILE = ROOT.resolve("docs/conformance.md");

    private final ProofIndex proofs = ProofIndex.read(ROOT);
    private final ConformanceDocument document = new ConformanceDocument(proofs);

    @Test
    void shouldHaveAProofForAllThatIsThereAndAReasonForAllThatIsNot()
    {
        assertEquals(Set.of(), document.unproven(), "no test has the tag");
        assertEquals(Set.of(), document.unreasoned(), "no reason is given in Refusals");
    }

    @Test
    void shouldKnowEveryTag()
    {
        final Set<String> unknown = new TreeSet<>(proofs.tags());
        unknown.removeAll(document.known());
        assertEquals(Set.of(), unknown, "tags of tests that name nothing");
    }

    @Test
    void shouldBeWrittenAsItIs() throws IOException
    {
        if (Boolean.getBoolean("ringtap.conformance.write"))
        {
            Files.writeString(FILE, document.text());
        }

        assertTrue(Files.exists(FILE), "docs/conformance.md is missing; " + ConformanceDocument.REWRITE);
        assertEquals(document.text(), Files.readString(FILE),
            "docs/conformance.md is out of date; " + ConformanceDocument.REWRITE);
    }
}
