package io.ringtap.sys;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/**
 * jnr-ffi's x86-64 stubs pass a wrong sixth argument to functions of exactly six integers, which is one reason why
 * {@link DirectCalls} does without them. Every argument must arrive, before and after the call is compiled.
 */
class SixArgumentsTest
{
    private static final int PAGES = 16;
    private static final int PAGE = 4096;

    @Test
    void shouldCarryTheSixthArgumentOfACall()
    {
        try (Fd file = MemFd.create("pages", PAGES * PAGE))
        {
            try (Mapping whole = Mapping.shared(file.number(), 0, PAGES * PAGE, "pages"))
            {
                for (int i = 0; i < PAGES; i++)
                {
                    whole.buffer().putInt(i * PAGE, 1000 + i);
                }
            }
            for (int round = 0; round < 2000; round++)
            {
                final int page = round % PAGES;
                try (Mapping one = Mapping.shared(file.number(), (long)page * PAGE, PAGE, "page"))
                {
                    assertEquals(1000 + page, Memory.getInt(one.address()));
                }
            }
        }
    }

    @Test
    void shouldCarryAnOffsetOverFourGiB()
    {
        final long offset = (5L << 30) + PAGE;
        try (Fd file = MemFd.create("sparse", offset + PAGE); Mapping far = Mapping.shared(
            file.number(), offset, PAGE, "far"))
        {
            far.buffer().putLong(0, 42);
            try (Mapping again = Mapping.shared(file.number(), offset - PAGE, 2 * PAGE, "again"))
            {
                assertEquals(0, again.buffer().getLong(0));
                assertEquals(42, again.buffer().getLong(PAGE));
            }
        }
    }
}
