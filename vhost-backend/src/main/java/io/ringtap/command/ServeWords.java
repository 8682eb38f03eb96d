package io.ringtap.command;

import io.ringtap.BackendConfig;
import io.ringtap.BackendConfigBuilder;
import io.ringtap.ConfigException;

import java.util.EnumMap;
import java.util.Map;

/**
 * Reads the words of a well-formed serving command line without picocli, whose classes no class-data archive takes
 * (they are older than Java 6) and which alone would double the time to the listening socket. Whatever this parser is
 * not sure about it leaves to picocli, which then also says what is wrong.
 */
final class ServeWords
{
    private ServeWords()
    {
    }

    /**
     * @return option to text, or null when the words hold anything but known options, each once and complete.
     */
    static Map<ServeOption, String> parse(final String[] words)
    {
        final Map<ServeOption, String> given = new EnumMap<>(ServeOption.class);
        for (int i = 0; i < words.length; i++)
        {
            final int equals = words[i].indexOf('=');
            final ServeOption option = find(equals < 0 ? words[i] : words[i].substring(0, equals));
            if (null == option || option.takesValue() == equals < 0)
            {
                return null;
            }
            if (given.containsKey(option) && !option.isRepeatable())
            {
                return null;
            }
            given.merge(option, words[i].substring(equals + 1), (all, next) -> all + ServeOption.REPEATED + next);
        }
        return given;
    }

    /**
     * What the options say together, checked.
     *
     * @throws ConfigException for the first that cannot be.
     */
    static BackendConfig conclude(final Map<ServeOption, String> given)
    {
        return builder(given).conclude();
    }

    /** As {@link #conclude}, where something is to be added. */
    static BackendConfigBuilder builder(final Map<ServeOption, String> given)
    {
        final BackendConfigBuilder config = BackendConfig.builder();
        ServeOption port = null;
        for (final Map.Entry<ServeOption, String> option : given.entrySet())
        {
            if (option.getKey().isPort() && null != port)
            {
                throw new ConfigException(
                    port.word() + " and " + option.getKey().word(), "a NIC leads to one port", "give one of them");
            }
            port = option.getKey().isPort() ? option.getKey() : port;
            option.getKey().apply(config, option.getValue());
        }
        return config;
    }

    private static ServeOption find(final String word)
    {
        for (final ServeOption option : ServeOption.values())
        {
            if (option.word().equals(word))
            {
                return option;
            }
        }
        return null;
    }
}
