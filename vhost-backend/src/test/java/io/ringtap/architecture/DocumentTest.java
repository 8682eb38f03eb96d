package io.ringtap.architecture;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Keeps tables of the documents true: tests and counters that they name exist. */
class DocumentTest
{
    private static final Pattern NAMED = Pattern.compile("`([^`]+)`");
    private static final Pattern LABEL = Pattern.compile("\"([a-z][a-z0-9_-]+)\"");
    private static final Pattern CONSTANT = Pattern.compile("^ {4}([A-Z][A-Z0-9_]+)(?:\\(|,|;|$)", Pattern.MULTILINE);
    private static final int LEAST = 30;

    /** Test classes by name, and their text. */
    private static final Map<String, String> TESTS = new HashMap<>();
    private static final Set<String> COUNTERS = new TreeSet<>();
    private static String sources = "";
    private static Path root;

    @BeforeAll
    static void read() throws IOException
    {
        root = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(root.resolve("docs")))
        {
            root = root.getParent();
        }
        final StringBuilder main = new StringBuilder();
        for (final Path file : javaFiles())
        {
            final String name = file.getFileName().toString().replace(".java", "");
            final String text = Files.readString(file);
            if (file.toString().contains("/src/test/"))
            {
                TESTS.merge(name, text, String::concat);
            }
            else
            {
                main.append(text);
                if (name.endsWith("Counter"))
                {
                    LABEL.matcher(text).results().forEach((match) -> COUNTERS.add(match.group(1)));
                    CONSTANT.matcher(text).results()
                        .forEach((match) -> COUNTERS.add(match.group(1).toLowerCase(Locale.ROOT)));
                }
            }
        }
        sources = main.toString();
    }

    private static List<Path> javaFiles() throws IOException
    {
        try (Stream<Path> files = Files.walk(root))
        {
            return files.filter((file) -> file.toString().endsWith(".java") && file.toString().contains("/src/"))
                .toList();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"threat-model.md", "reliability.md"})
    void shouldNameTestsAndCountersThatExist(final String document) throws IOException
    {
        final List<String> strangers = new ArrayList<>();
        List<String> header = List.of();
        int tests = 0;
        for (final String line : Files.readAllLines(root.resolve("docs").resolve(document)))
        {
            if (!line.startsWith("|"))
            {
                header = List.of();
                continue;
            }
            final List<String> cells = Arrays.stream(line.split("\\|")).map(String::strip).toList();
            if (header.isEmpty())
            {
                header = cells;
                continue;
            }
            for (int i = 0; i < Math.min(cells.size(), header.size()); i++)
            {
                final Matcher named = NAMED.matcher(cells.get(i));
                while (named.find())
                {
                    final boolean isTest = "test".equals(header.get(i));
                    tests += isTest ? 1 : 0;
                    if (isTest && !isTest(named.group(1)) || "counter".equals(header.get(i)) &&
                        !isCounter(named.group(1)))
                    {
                        strangers.add(named.group(1));
                    }
                }
            }
        }
        assertEquals(List.of(), strangers, "named in " + document + " and not there");
        assertTrue(LEAST < tests, "only " + tests + " tests named");
        System.out.println(document + " names " + tests + " tests");
    }

    private static boolean isTest(final String name)
    {
        final int dot = name.indexOf('.');
        final String text = TESTS.get(dot < 0 ? name : name.substring(0, dot));
        return null != text && (dot < 0 || text.contains("void " + name.substring(dot + 1) + "("));
    }

    /** A label of a counter, or what a class counts by itself. */
    private static boolean isCounter(final String name)
    {
        return COUNTERS.contains(name) || sources.contains(" " + name.substring(name.indexOf('.') + 1) + "(") ||
            sources.contains(" " + name.substring(name.indexOf('.') + 1) + ";");
    }
}
