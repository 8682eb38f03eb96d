package io.ringtap.command;

import io.ringtap.ConfigException;
import io.ringtap.yaml.YamlFault;
import io.ringtap.yaml.YamlPlace;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Collects what is wrong with a configuration file; refusals that speak of options are put in terms of keys. */
final class FileFaults
{
    private static final Pattern OPTION = Pattern.compile("--([a-z][a-z0-9-]*)(=?)");

    private final List<YamlFault> faults = new ArrayList<>();

    void add(final YamlFault fault)
    {
        faults.add(fault);
    }

    void add(final YamlPlace place, final String value, final String limit, final String remedy)
    {
        add(new YamlFault(place, value, limit, remedy));
    }

    /** @param prefix stands before the value. */
    void add(final YamlPlace place, final String prefix, final ConfigException refusal)
    {
        add(place, prefix + inKeys(refusal.value()), inKeys(refusal.limit()), inKeys(refusal.remedy()));
    }

    boolean isEmpty()
    {
        return faults.isEmpty();
    }

    /** How many there are, to see whether a part of the file added some. */
    int count()
    {
        return faults.size();
    }

    /** @throws ConfigFileException when there are any. */
    void throwIfAny(final String file)
    {
        if (!faults.isEmpty())
        {
            faults.sort(Comparator.comparing(YamlFault::place));
            throw new ConfigFileException(faults.stream().map((fault) -> fault.text(file)).distinct().toList());
        }
    }

    /** {@code --queues=99} becomes {@code queues: 99}. */
    static String inKeys(final String text)
    {
        return OPTION.matcher(text).replaceAll((found) ->
        {
            final String word = found.group(1);
            // Keys of the process are no options; what is neither is a command of its own.
            final boolean isKey = null != ServeOption.ofKey(word) || word.startsWith("worker");
            return isKey ? word + (found.group(2).isEmpty() ? "" : ": ") : Matcher.quoteReplacement(found.group());
        });
    }
}
