package io.ringtap.it.rig;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A fenced block of a document. The comment on the line before it says what becomes of its commands in a test; readers
 * do not see it.
 *
 * @param document where it stands.
 * @param line     of the opening fence, from 1.
 * @param language of the fence; empty for none.
 * @param marker   the comment's text; empty for none.
 * @param text     between the fences.
 */
public record DocBlock(Path document, int line, String language, String marker, String text)
{
    private static final Pattern MARKER = Pattern.compile("<!-- (.*) -->");
    /** A step that readers need not be told: {@code prepare run: COMMAND} or {@code prepare serve: COMMAND}. */
    private static final Pattern PREPARE = Pattern.compile("<!-- prepare (run|serve): (.*) -->");
    private static final String FENCE = "```";
    /** What a reader would type into a shell. */
    private static final Set<String> COMMANDS = Set.of("", "sh", "bash", "console");

    /** Every fenced block, in order. */
    public static List<DocBlock> of(final Path document)
    {
        final List<String> lines = HostFiles.read(document).lines().toList();
        final List<DocBlock> blocks = new ArrayList<>();
        int start = -1;
        for (int i = 0; i < lines.size(); i++)
        {
            final Matcher prepare = PREPARE.matcher(lines.get(i));
            if (start < 0 && prepare.matches())
            {
                blocks.add(new DocBlock(document, i + 1, "sh", prepare.group(1), prepare.group(2) + "\n"));
            }
            else if (lines.get(i).startsWith(FENCE) && start < 0)
            {
                start = i;
            }
            else if (lines.get(i).startsWith(FENCE))
            {
                final Matcher marker = MARKER.matcher(0 == start ? "" : lines.get(start - 1));
                blocks.add(new DocBlock(document, start + 1, lines.get(start).substring(FENCE.length()).strip(),
                    marker.matches() ? marker.group(1) : "", String.join("\n", lines.subList(start + 1, i)) + "\n"));
                start = -1;
            }
        }
        return blocks;
    }

    /** Whether it holds commands. */
    public boolean isCommands()
    {
        return COMMANDS.contains(language);
    }

    /** Its commands, with lines that go on joined. */
    public List<String> commands()
    {
        return text.replace("\\\n", " ").lines().map(String::strip).filter(each -> !each.isEmpty()).toList();
    }

    @Override
    public String toString()
    {
        return document.getFileName() + ":" + line;
    }
}
