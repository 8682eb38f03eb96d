package io.ringtap.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** What Maven's test runs say of themselves: each test with how often it ran and how often it did not pass. */
final class TestReports
{
    private static final List<String> FOLDERS = List.of("surefire-reports", "failsafe-reports");
    private static final List<String> TROUBLES = List.of("failure", "error", "skipped");

    private final Map<String, Cases> byTest = new HashMap<>();

    /** Cases of a test, or of a class; a test with parameters has one for each. */
    record Cases(int ran, int failed)
    {
        static final Cases NONE = new Cases(0, 0);

        Cases plus(final Cases other)
        {
            return new Cases(ran + other.ran, failed + other.failed);
        }
    }

    /** @param root of the source tree whose modules were tested. */
    static TestReports read(final Path root) throws IOException
    {
        final TestReports reports = new TestReports();
        try (Stream<Path> modules = Files.list(root))
        {
            for (final Path module : modules.filter(Files::isDirectory).toList())
            {
                for (final String folder : FOLDERS)
                {
                    reports.addFolder(module.resolve("target").resolve(folder));
                }
            }
        }
        return reports;
    }

    /** @param test {@code Class.method} or {@code Class}, without the package. */
    Cases of(final String test)
    {
        return byTest.getOrDefault(test, Cases.NONE);
    }

    private void addFolder(final Path folder) throws IOException
    {
        if (Files.isDirectory(folder))
        {
            try (Stream<Path> files = Files.list(folder))
            {
                files.filter((file) -> file.getFileName().toString().matches("TEST-.*\\.xml")).forEach(this::addFile);
            }
        }
    }

    private void addFile(final Path file)
    {
        try
        {
            final NodeList cases = DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder()
                .parse(file.toFile()).getElementsByTagName("testcase");
            for (int i = 0; i < cases.getLength(); i++)
            {
                add((Element)cases.item(i));
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(file.toString(), ex);
        }
        catch (final SAXException | ParserConfigurationException ex)
        {
            throw new IllegalStateException(file + " is no report of tests", ex);
        }
    }

    private void add(final Element testcase)
    {
        final boolean isInTrouble = TROUBLES.stream()
            .anyMatch((trouble) -> 0 < testcase.getElementsByTagName(trouble).getLength());
        final Cases one = new Cases(1, isInTrouble ? 1 : 0);
        final String type = testcase.getAttribute("classname").replaceAll(".*[.]", "");
        // Behind the name come the types of parameters and a number.
        final String method = testcase.getAttribute("name").replaceAll("\\W.*", "");
        byTest.merge(type, one, Cases::plus);
        byTest.merge(type + "." + method, one, Cases::plus);
    }
}
