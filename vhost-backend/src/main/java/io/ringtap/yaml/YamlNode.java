package io.ringtap.yaml;

import java.util.List;

/** A part of a file and where it stands. */
public sealed interface YamlNode
{
    YamlPlace place();

    /** What it is, for people. */
    String kind();

    /**
     * A text; what it means is its reader's business.
     *
     * @param plain written without quotes, so that an empty one means nothing was given.
     */
    record Scalar(YamlPlace place, String text, boolean plain) implements YamlNode
    {
        /** Nothing was given. */
        public boolean isNothing()
        {
            return plain && (text.isEmpty() || "~".equals(text) || "null".equals(text));
        }

        @Override
        public String kind()
        {
            return isNothing() ? "nothing" : "a value";
        }
    }

    /** Items in order. */
    record Sequence(YamlPlace place, List<YamlNode> items) implements YamlNode
    {
        @Override
        public String kind()
        {
            return "a list";
        }
    }

    /** Keys and what they hold, in order; no key is there twice. */
    record Mapping(YamlPlace place, List<Entry> entries) implements YamlNode
    {
        @Override
        public String kind()
        {
            return "a block of keys";
        }
    }

    /** A key of a {@link Mapping}. */
    record Entry(YamlPlace place, String key, YamlNode value)
    {
    }
}
