package io.ringtap.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.it.rig.DocBlock;
import io.ringtap.it.rig.DocReader;
import io.ringtap.it.rig.HostFiles;
import io.ringtap.it.rig.Lab;
import io.ringtap.it.rig.Progress;
import io.ringtap.it.rig.Provision;
import io.ringtap.it.rig.RigException;
import io.ringtap.it.rig.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The documents, followed as they stand: every block of commands is run, or run by another test, or says why it is
 * not; and every link between documents leads somewhere.
 */
class DocsIT
{
    private static final Pattern RUN_BY = Pattern.compile("run by (\\w+)");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#]+?)(#[^)]*)?\\)");
    /** Each command there made the table above it, and takes minutes; its own test keeps the generator. */
    private static final String MEASURED = "benchmarks/README.md";

    static List<Path> documents() throws IOException
    {
        final Path root = Settings.root();
        final List<Path> all = new ArrayList<>(List.of(root.resolve("README.md"), root.resolve("ARCHITECTURE.md"),
            root.resolve("CONTRIBUTING.md"), root.resolve("CHANGELOG.md"), root.resolve("packaging/README.md")));
        try (Stream<Path> files = Files.walk(root.resolve("docs")))
        {
            files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(all::add);
        }
        return all;
    }

    static List<Path> followed() throws IOException
    {
        return documents().stream()
            .filter(document -> DocBlock.of(document).stream().anyMatch(DocsIT::isFollowed)).toList();
    }

    @Test
    void shouldSayOfEveryCommandWhatBecomesOfIt() throws IOException
    {
        final List<String> silent = new ArrayList<>();
        int followed = 0;
        int elsewhere = 0;
        final List<String> not = new ArrayList<>();
        for (final Path document : documents())
        {
            for (final DocBlock block : DocBlock.of(document))
            {
                if (document.endsWith(MEASURED) && block.isCommands())
                {
                    block.commands().stream().filter(each -> !each.startsWith("./ringtap bench"))
                        .forEach(each -> silent.add(block + ": " + each));
                    elsewhere++;
                }
                else if (RUN_BY.matcher(block.marker()).matches())
                {
                    assertNamed(block);
                    elsewhere++;
                }
                else if (block.marker().startsWith("not run: "))
                {
                    not.add(block + " " + block.marker());
                }
                else if (isFollowed(block))
                {
                    followed++;
                }
                else if (block.isCommands())
                {
                    silent.add(block + ":\n" + block.text());
                }
            }
        }
        assertEquals(List.of(), silent, "blocks of commands without a word on what becomes of them");
        not.forEach(Progress::say);
        Progress.say("blocks in the documents: " + followed + " followed here, " + elsewhere + " by other tests, " +
            not.size() + " not run");
    }

    @ParameterizedTest
    @MethodSource("followed")
    void shouldWorkAsWritten(final Path document) throws IOException
    {
        Provision.kit();
        Provision.files(Map.of(Path.of("/usr/bin/clang"), "clang", Path.of("/usr/include/linux/bpf.h"),
            "linux-libc-dev", Path.of("/usr/include/bpf/bpf_helpers.h"), "libbpf-dev"));
        try (Lab lab = Lab.open(DocsIT.class))
        {
            final DocReader reader = new DocReader(lab);
            int count = 0;
            for (final DocBlock block : DocBlock.of(document))
            {
                if (isFollowed(block) && reader.follow(block))
                {
                    count++;
                }
            }
            Progress.say(Settings.root().relativize(document) + ": " + count + " blocks followed");
        }
    }

    @Test
    void shouldLinkToWhatIsThere() throws IOException
    {
        final List<String> broken = new ArrayList<>();
        for (final Path document : documents())
        {
            final Matcher links = LINK.matcher(HostFiles.read(document));
            while (links.find())
            {
                if (!links.group(1).matches("[a-z]+:.*") &&
                    !Files.exists(document.resolveSibling(links.group(1)).normalize()))
                {
                    broken.add(document.getFileName() + " -> " + links.group(1));
                }
            }
        }
        assertEquals(List.of(), broken);
    }

    private static boolean isFollowed(final DocBlock block)
    {
        return !block.marker().isEmpty() && !block.marker().startsWith("not run: ") &&
            !RUN_BY.matcher(block.marker()).matches() && !block.document().endsWith(MEASURED);
    }

    /** The other test is there, and speaks of this document or of what it does. */
    private static void assertNamed(final DocBlock block)
    {
        final Matcher marker = RUN_BY.matcher(block.marker());
        if (!marker.matches())
        {
            throw new RigException(block + ": " + block.marker());
        }
        final String file = marker.group(1) + ".java";
        boolean isThere = false;
        for (final String module : List.of("integration-tests", "vhost-backend"))
        {
            try (Stream<Path> files = Files.walk(Settings.root().resolve(module + "/src/test/java")))
            {
                isThere |= files.anyMatch(path -> path.endsWith(file));
            }
            catch (final IOException ex)
            {
                throw new RigException(block.toString(), ex);
            }
        }
        assertTrue(isThere, block + ": no " + file);
    }
}
