package io.ringtap.it.fuzz;

import com.code_intelligence.jazzer.Jazzer;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** A JVM that fuzzes: writes the target's own seeds into its corpus, then becomes Jazzer. */
public final class FuzzMain
{
    private FuzzMain()
    {
    }

    /** @param words class of the target, directory of the corpus, then Jazzer's own. */
    public static void main(final String[] words) throws Exception
    {
        final Path corpus = Path.of(words[1]);
        final Method seeds = Class.forName(words[0], false, FuzzMain.class.getClassLoader()).getMethod("seeds");
        int number = 0;
        for (final Object seed : (List<?>)seeds.invoke(null))
        {
            Files.write(corpus.resolve(String.format("seed-%03d", number)), (byte[])seed);
            number++;
        }
        Jazzer.main(Arrays.copyOfRange(words, 2, words.length));
    }
}
