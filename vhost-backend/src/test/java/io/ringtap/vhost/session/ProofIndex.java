package io.ringtap.vhost.session;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Which tests say that they prove what: {@code @Tag("message.SET_OWNER")}, {@code @Tag("protocol.MQ")} or
 * {@code @Tag("virtio.CSUM")} at a test or its class. Read from the sources of all modules, since integration tests are
 * not on this one's class path.
 */
final class ProofIndex
{
    private static final Set<String> MODULES = Set.of("tap-io", "xdp-hooks", "vhost-backend", "integration-tests");
    private static final Pattern PIECE = Pattern.compile(
        "^ *@Tag\\(\"(?<tag>(?:message|backend|protocol|virtio)\\.\\w+)\"\\)|" +
        "^(?:public |abstract |final )*class (?<type>\\w+)|" +
        "^ {4}(?:public |final )*void (?<test>should\\w+)\\(", Pattern.MULTILINE);

    private final Map<String, Set<String>> testsByTag = new TreeMap<>();

    static ProofIndex read(final Path root)
    {
        final ProofIndex index = new ProofIndex();
        for (final String module : MODULES)
        {
            final Path folder = root.resolve(module).resolve("src/test/java");
            if (Files.isDirectory(folder))
            {
                try (Stream<Path> files = Files.walk(folder))
                {
                    files.filter(file -> file.toString().endsWith(".java")).forEach(index::add);
                }
                catch (final IOException ex)
                {
                    throw new UncheckedIOException(ex);
                }
            }
        }

        return index;
    }

    /** Names of tests, sorted; none when nothing claims to prove it. */
    Set<String> tests(final String tag)
    {
        return testsByTag.getOrDefault(tag, Set.of());
    }

    Set<String> tags()
    {
        return testsByTag.keySet();
    }

    private void add(final Path source)
    {
        final Matcher pieces = PIECE.matcher(text(source));
        final List<String> waiting = new ArrayList<>();
        String type = null;
        while (pieces.find())
        {
            final String found = pieces.group("tag");
            if (null != found)
            {
                waiting.add(found);
                continue;
            }

            final String test = pieces.group("test");
            type = null == pieces.group("type") ? type : pieces.group("type");
            for (final String tag : waiting)
            {
                testsByTag.computeIfAbsent(tag, key -> new TreeSet<>()).add(null == test ? type : type + "." + test);
            }

            waiting.clear();
        }
    }

    private static String text(final Path source)
    {
        try
        {
            return Files.readString(source);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
