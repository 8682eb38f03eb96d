package io.ringtap.command;

import io.ringtap.BackendConfig;
import io.ringtap.ConfigException;
import io.ringtap.yaml.YamlNode;
import io.ringtap.yaml.YamlPlace;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Reads a block of options of a configuration file: the options are those of the command line, without dashes. */
final class FileSection
{
    /** Which block it is, and so which options it may hold. */
    enum Kind
    {
        DEFAULTS, PORT
    }

    /**
     * An option as it was given.
     *
     * @param text  as on the command line; null for a switch that is off.
     * @param place of the value.
     */
    record Given(String text, YamlPlace place)
    {
    }

    private final Kind kind;
    private final FileFaults faults;
    private final Map<ServeOption, Given> given = new EnumMap<>(ServeOption.class);

    private FileSection(final Kind kind, final FileFaults faults)
    {
        this.kind = kind;
        this.faults = faults;
    }

    /** @return the options that are in order; what is not is among the faults. */
    static Map<ServeOption, Given> read(
        final String name, final YamlNode node, final Kind kind, final FileFaults faults)
    {
        final FileSection section = new FileSection(kind, faults);
        if (node instanceof YamlNode.Mapping)
        {
            ((YamlNode.Mapping)node).entries().forEach(section::take);
        }
        else if (!isNothing(node))
        {
            faults.add(node.place(), name, node.kind() + " where options are expected", "write KEY: VALUE below it");
        }
        return section.given;
    }

    /** The text of an option's value, or null when it is none; says why then. */
    static String text(final ServeOption option, final YamlNode.Entry entry, final FileFaults faults)
    {
        final YamlNode value = entry.value();
        if (value instanceof YamlNode.Sequence && option.isList())
        {
            final List<String> texts = new ArrayList<>();
            for (final YamlNode item : ((YamlNode.Sequence)value).items())
            {
                final String text = scalar(entry, item, faults);
                if (null == text)
                {
                    return null;
                }
                texts.add(text);
            }
            if (texts.isEmpty())
            {
                faults.add(value.place(), entry.key(), "the list is empty", "leave the key out");
                return null;
            }
            return String.join(option.separator(), texts);
        }
        return scalar(entry, value, faults);
    }

    static boolean isNothing(final YamlNode node)
    {
        return node instanceof YamlNode.Scalar && ((YamlNode.Scalar)node).isNothing();
    }

    static String scalar(final YamlNode.Entry entry, final YamlNode value, final FileFaults faults)
    {
        if (!(value instanceof YamlNode.Scalar) || isNothing(value))
        {
            faults.add(value.place(), entry.key(), "it has " + value.kind() + " where one value is expected",
                "write " + entry.key() + ": VALUE, or leave the key out");
            return null;
        }
        final String text = ((YamlNode.Scalar)value).text();
        if (text.chars().anyMatch(Character::isISOControl))
        {
            faults.add(value.place(), entry.key() + ": " + text, "a value is one line of printable characters",
                "write it behind the key");
            return null;
        }
        return text;
    }

    private void take(final YamlNode.Entry entry)
    {
        final ServeOption option = option(entry);
        if (null == option)
        {
            return;
        }
        if (!option.takesValue())
        {
            final Given onOff = onOff(entry, faults);
            if (null != onOff)
            {
                given.put(option, onOff);
            }
            return;
        }
        final String text = text(option, entry, faults);
        if (null != text)
        {
            try
            {
                option.apply(BackendConfig.builder(), text);
                given.put(option, new Given(text, entry.value().place()));
            }
            catch (final ConfigException ex)
            {
                faults.add(entry.value().place(), "", ex);
            }
        }
    }

    /** What a switch is set to, or null when it is neither true nor false; says why then. */
    static Given onOff(final YamlNode.Entry entry, final FileFaults faults)
    {
        final String text = scalar(entry, entry.value(), faults);
        if ("true".equals(text) || "false".equals(text))
        {
            return new Given("true".equals(text) ? "" : null, entry.value().place());
        }
        if (null != text)
        {
            faults.add(entry.value().place(), entry.key() + ": " + text, "a switch is true or false",
                "write " + entry.key() + ": true, or leave the key out");
        }
        return null;
    }

    /** The option that the key names, or null; says why then. */
    private ServeOption option(final YamlNode.Entry entry)
    {
        final ServeOption option = ServeOption.ofKey(entry.key());
        if (null == option)
        {
            faults.add(entry.place(), entry.key(), "no such option",
                Spelling.remedy(entry.key(), keys(), "ringtap --help lists the options; write them without dashes"));
            return null;
        }
        if (option.isOfProcess())
        {
            faults.add(entry.place(), entry.key(), "it concerns the process, not one NIC",
                "move it to the left margin, beside ports:");
            return null;
        }
        if (Kind.DEFAULTS == kind && option.isUnique())
        {
            faults.add(entry.place(), entry.key(), "only one NIC can have it, so it is no default",
                "write it below each port");
            return null;
        }
        return option;
    }

    private TreeSet<String> keys()
    {
        final TreeSet<String> keys = new TreeSet<>();
        for (final ServeOption option : ServeOption.values())
        {
            if (option.isKey() && !option.isOfProcess())
            {
                keys.add(option.key());
            }
        }
        return keys;
    }
}
