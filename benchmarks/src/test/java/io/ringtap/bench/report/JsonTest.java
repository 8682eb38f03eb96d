package io.ringtap.bench.report;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** As much JSON as results need. */
class JsonTest
{
    @Test
    void shouldReadBackWhatItWrote()
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("text", "a \"quoted\" \\ line\nand \u0001");
        map.put("numbers", Arrays.asList(0.0, -1.5, 123456.0, 0.000001, null));
        map.put("yes", true);
        map.put("empty", List.of());
        map.put("inner", Map.of("x".repeat(120), "long enough for lines of its own"));

        assertEquals(map, Json.parse(Json.write(map)));
    }

    @Test
    void shouldWriteWhatIsNoNumberAsNull()
    {
        assertEquals("[null, null, 2]\n", Json.write(Arrays.asList(Double.NaN, Double.POSITIVE_INFINITY, 2.0)));
    }

    @Test
    void shouldReadALineOfALoopInC()
    {
        final Map<String, Object> line =
            Json.object(Json.parse("{\"mode\":\"write\",\"packets\":42,\"seconds\":1e-3}"));

        assertEquals("write", line.get("mode"));
        assertEquals(42.0, Json.number(line.get("packets")));
        assertEquals(0.001, Json.number(line.get("seconds")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[1,", "{\"a\" 1}", "nul", "1 2", "\"open"})
    void shouldRefuseWhatIsNoJson(final String text)
    {
        assertThrows(IllegalArgumentException.class, () -> Json.parse(text));
    }
}
