package io.ringtap.vhost.ops;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * JSON to plain objects and back, token by token: what a client writes makes nothing but maps, lists, texts and
 * numbers, and no more of them than its line has characters.
 */
public final class Json
{
    /** Deep enough for every value of ours. */
    private static final int MAX_DEPTH = 32;
    private static final int MAX_NUMBER = 64;
    private static final int MAX_NAME = 1024;

    private static final JsonFactory FACTORY = JsonFactory.builder()
        .streamReadConstraints(StreamReadConstraints.builder()
            .maxNestingDepth(MAX_DEPTH)
            .maxNumberLength(MAX_NUMBER)
            .maxNameLength(MAX_NAME)
            .maxStringLength(ControlServer.MAX_ANSWER)
            .build())
        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
        .build();

    private Json()
    {
    }

    /**
     * Reads one object.
     *
     * @throws CommandException when the text is anything else.
     */
    public static Map<String, Object> object(final String text)
    {
        try (JsonParser parser = FACTORY.createParser(text))
        {
            if (JsonToken.START_OBJECT != parser.nextToken())
            {
                throw notJson("it does not begin with {");
            }
            final Map<String, Object> object = map(parser);
            if (null != parser.nextToken())
            {
                throw notJson("something follows the object");
            }
            return object;
        }
        catch (final JsonProcessingException ex)
        {
            throw notJson(ex.getOriginalMessage());
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Writes an object in one line. */
    public static String text(final Object value)
    {
        final StringWriter text = new StringWriter();
        try (JsonGenerator generator = FACTORY.createGenerator(text))
        {
            write(generator, value);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        return text.toString();
    }

    private static CommandException notJson(final String why)
    {
        return new CommandException("the request", "not a JSON object: " + Request.shortened(why),
            "send one object a line, such as {\"command\":\"help\"}");
    }

    private static Map<String, Object> map(final JsonParser parser) throws IOException
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        while (JsonToken.FIELD_NAME == parser.nextToken())
        {
            final String name = parser.currentName();
            parser.nextToken();
            map.put(name, value(parser));
        }
        return map;
    }

    private static Object value(final JsonParser parser) throws IOException
    {
        return switch (parser.currentToken())
        {
            case START_OBJECT -> map(parser);
            case START_ARRAY ->
            {
                final List<Object> list = new ArrayList<>();
                while (JsonToken.END_ARRAY != parser.nextToken())
                {
                    list.add(value(parser));
                }
                yield list;
            }
            case VALUE_STRING -> parser.getText();
            case VALUE_TRUE -> Boolean.TRUE;
            case VALUE_FALSE -> Boolean.FALSE;
            case VALUE_NUMBER_INT -> JsonParser.NumberType.BIG_INTEGER == parser.getNumberType() ?
                parser.getBigIntegerValue() : (Object)parser.getLongValue();
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            default -> null;
        };
    }

    private static void write(final JsonGenerator generator, final Object value) throws IOException
    {
        if (value instanceof Map<?, ?> map)
        {
            generator.writeStartObject();
            for (final Map.Entry<?, ?> entry : map.entrySet())
            {
                generator.writeFieldName(String.valueOf(entry.getKey()));
                write(generator, entry.getValue());
            }
            generator.writeEndObject();
        }
        else if (value instanceof Iterable<?> list)
        {
            generator.writeStartArray();
            for (final Object element : list)
            {
                write(generator, element);
            }
            generator.writeEndArray();
        }
        else if (value instanceof Double number)
        {
            generator.writeNumber(number);
        }
        else if (value instanceof Number number)
        {
            generator.writeNumber(number.toString());
        }
        else if (value instanceof Boolean flag)
        {
            generator.writeBoolean(flag);
        }
        else if (null == value)
        {
            generator.writeNull();
        }
        else
        {
            generator.writeString(value.toString());
        }
    }
}
