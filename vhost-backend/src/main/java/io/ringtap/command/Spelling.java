package io.ringtap.command;

import java.util.Collection;

/** Finds the word that was meant. */
final class Spelling
{
    /** A longer word is not looked at: nobody mistypes that much. */
    private static final int MAX_LENGTH = 40;
    private static final int MAX_DISTANCE = 2;

    private Spelling()
    {
    }

    /** {@code did you mean WORD?}, or the other remedy when no word is near. */
    static String remedy(final String word, final Collection<String> known, final String otherwise)
    {
        String best = null;
        int distance = Math.min(MAX_DISTANCE + 1, word.length());
        for (final String each : known)
        {
            final int d = word.length() > MAX_LENGTH ? distance : distance(word.replace('_', '-'), each);
            if (d < distance)
            {
                distance = d;
                best = each;
            }
        }
        return null == best ? otherwise : "did you mean " + best + "?";
    }

    /** Characters to insert, remove or replace. */
    private static int distance(final String a, final String b)
    {
        int[] above = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++)
        {
            above[j] = j;
        }
        for (int i = 1; i <= a.length(); i++)
        {
            final int[] row = new int[b.length() + 1];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++)
            {
                final int replaced = above[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, 1 + Math.min(above[j], row[j - 1]));
            }
            above = row;
        }
        return above[b.length()];
    }
}
