package io.ringtap.vhost.guest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Translations of the guest's IOMMU, as far as the front-end has told them: addresses in rings and descriptors are I/O
 * virtual then, and mean something only here (vhost-user, "IOMMU support").
 * <p>
 * The session's thread changes it and workers look things up at any time: they see one immutable table or the next.
 * What is taken back may still be remembered by them; whoever acknowledges that it is gone waits until each of them has
 * forgotten it. What is missing is asked for once.
 */
public final class Iotlb
{
    public static final int READ = 1;
    public static final int WRITE = 2;

    /** What a page that is not there is waiting for. */
    public enum Answer
    {
        /** The front-end is asked. */
        AWAITED,
        /** It said that there is no such page. */
        REFUSED
    }

    /** Translations kept; the front-end is asked again for what had to go. Linux keeps 2048. */
    static final int MAX_TRANSLATIONS = 4096;

    /** Questions open at a time; a worker that finds no room asks again when it is woken. */
    static final int MAX_QUESTIONS = 256;

    static final int PAGE_SHIFT = 12;
    static final long PAGE_SIZE = 1L << PAGE_SHIFT;

    private static final Comparator<Translation> BY_IOVA = (a, b) -> Long.compareUnsigned(a.iova, b.iova);
    /** One range; {@code last} is its last byte, since a range may reach to the end of all addresses. */
    record Translation(long iova, long last, long frontendAddress, long hostAddress, int permission)
    {
        boolean holds(final long address)
        {
            return Long.compareUnsigned(iova, address) <= 0 && Long.compareUnsigned(address, last) <= 0;
        }

        long hostOf(final long address)
        {
            return hostAddress + (address - iova);
        }

        /** Bytes from an address in the range to its end; ranges of all addresses are cut, which nobody can tell. */
        long rest(final long address)
        {
            return Math.min(last - address, Long.MAX_VALUE - 1 >>> 1) + 1;
        }

        boolean overlaps(final long from, final long to)
        {
            return Long.compareUnsigned(iova, to) <= 0 && Long.compareUnsigned(from, last) <= 0;
        }

        boolean allows(final int wanted)
        {
            return wanted == (permission & wanted);
        }
    }

    /** A page that somebody waits for. */
    private static final class Question
    {
        private final long page;
        private int permission;
        private boolean isAsked;
        /** Of the last time that it was asked: answers to those before mean nothing any more. */
        private long number;
        private boolean isRefused;

        Question(final long page)
        {
            this.page = page;
        }
    }

    private final Runnable onMiss;
    private final List<Question> questions = new ArrayList<>();
    private volatile Translation[] table = {};
    private long asked;

    /** @param onMiss called by a worker that misses a page which nobody has asked for: {@link #takeMiss} has it. */
    public Iotlb(final Runnable onMiss)
    {
        this.onMiss = onMiss;
    }

    /**
     * Takes a translation over; what it overlaps is replaced.
     *
     * @return whether something else was known of these addresses, which workers may remember.
     * @throws GuestMemoryException when it is none, or not of the guest's memory.
     */
    public boolean update(
        final GuestMemory memory, final long iova, final long size, final long frontendAddress, final int permission)
    {
        final long last = iova + size - 1;
        if (size <= 0 || Long.compareUnsigned(last, iova) < 0 || permission < 1 || permission > (READ | WRITE))
        {
            throw new GuestMemoryException(String.format(
                "translation of 0x%x + 0x%x with permission %d is none", iova, size, permission));
        }
        final long hostAddress = memory.hostOfFrontend(frontendAddress, size);
        if (hostAddress == 0)
        {
            throw new GuestMemoryException(String.format(
                "translation of 0x%x + 0x%x to 0x%x is not in one region of the shared memory",
                iova, size, frontendAddress));
        }
        final Translation made = new Translation(iova, last, frontendAddress, hostAddress, permission);
        final boolean hasChanged = Arrays.stream(table).anyMatch(old -> old.overlaps(iova, last) && !old.equals(made));
        final List<Translation> kept = without(iova, last);
        if (kept.size() >= MAX_TRANSLATIONS)
        {
            // What workers remember of them stays true until it is invalidated.
            kept.clear();
        }
        kept.add(made);
        kept.sort(BY_IOVA);
        table = kept.toArray(Translation[]::new);
        settle(iova, last, permission);
        return hasChanged;
    }

    /** Forgets every translation of a range that reaches into this one. */
    public void invalidate(final long iova, final long size)
    {
        final long end = iova + size - 1;
        final long last = size != 0 && Long.compareUnsigned(end, iova) < 0 ? -1L : end;
        if (size == 0)
        {
            return;
        }
        table = without(iova, last).toArray(Translation[]::new);
        settle(iova, last, READ | WRITE);
    }

    /**
     * Forgets all of it, as if nothing had been said or asked so far: a front-end that stopped the device tells nobody
     * what the guest takes back meanwhile (QEMU's vhost_dev_stop no longer listens to the IOMMU).
     */
    public synchronized void forget()
    {
        table = new Translation[0];
        questions.clear();
    }

    /** The same translations in another map of the memory, but for those that it does not hold. */
    public void moveTo(final GuestMemory memory)
    {
        final List<Translation> moved = new ArrayList<>();
        for (final Translation old : table)
        {
            final long hostAddress = memory.hostOfFrontend(old.frontendAddress, old.last - old.iova + 1);
            if (hostAddress != 0)
            {
                moved.add(new Translation(old.iova, old.last, old.frontendAddress, hostAddress, old.permission));
            }
        }
        table = moved.toArray(Translation[]::new);
    }

    /** Translations known now. */
    public int count()
    {
        return table.length;
    }

    /** Whether somebody waits for an answer. */
    public synchronized boolean isAwaited()
    {
        return !questions.isEmpty();
    }

    /**
     * The next page to ask the front-end for, each once.
     *
     * @param into receives its address, the permission wanted, and the number of the question.
     * @return false when there is none.
     */
    public synchronized boolean takeMiss(final long[] into)
    {
        for (final Question question : questions)
        {
            if (!question.isAsked)
            {
                question.isAsked = true;
                into[0] = question.page << PAGE_SHIFT;
                into[1] = question.permission;
                question.number = ++asked;
                into[2] = question.number;
                return true;
            }
        }
        return false;
    }

    /** The front-end says that there is no such page: who waits for it learns it when he looks again. */
    public synchronized void refuse(final long number)
    {
        for (final Question question : questions)
        {
            if (question.isAsked && question.number == number)
            {
                question.isRefused = true;
            }
        }
    }

    /** The translation that holds an address and allows the access, or null. */
    Translation find(final long address, final int permission)
    {
        final Translation[] sorted = table;
        int low = 0;
        int high = sorted.length - 1;
        while (low <= high)
        {
            final int middle = (low + high) >>> 1;
            final Translation found = sorted[middle];
            if (found.holds(address))
            {
                return found.allows(permission) ? found : null;
            }
            if (Long.compareUnsigned(address, found.iova) < 0)
            {
                high = middle - 1;
            }
            else
            {
                low = middle + 1;
            }
        }
        return null;
    }

    /** Host address of a range whose pages lie together in our memory too, or 0. */
    long hostOf(final long iova, final long length, final int permission)
    {
        long host = 0;
        long done = 0;
        while (done < length)
        {
            final Translation part = find(iova + done, permission);
            if (part == null || host != 0 && host + done != part.hostOf(iova + done))
            {
                return 0;
            }
            host = host == 0 ? part.hostOf(iova) : host;
            done += Math.min(length - done, part.rest(iova + done));
        }
        return host;
    }

    /** As {@link GuestMemory#want}. */
    Answer want(final long iova, final long length, final int permission)
    {
        Answer answer = null;
        int missing = 0;
        long done = 0;
        // The length is the guest's: more pages than can be asked for are asked for when these are there.
        while (done < length && missing < MAX_QUESTIONS)
        {
            final Translation part = find(iova + done, permission);
            if (part == null)
            {
                missing++;
                final Answer of = miss(iova + done, permission);
                answer = answer == Answer.REFUSED ? answer : of;
            }
            // to the end of what is known, or of the page that is not
            done += part == null ? PAGE_SIZE - (iova + done & PAGE_SIZE - 1) : part.rest(iova + done);
        }
        return answer;
    }

    /** Wants a page that {@link #find} did not find. A refusal is told once: the guest may map the page later. */
    Answer miss(final long address, final int permission)
    {
        synchronized (this)
        {
            final long page = address >>> PAGE_SHIFT;
            Question question = null;
            for (final Question open : questions)
            {
                question = open.page == page ? open : question;
            }
            if (question != null && question.isRefused)
            {
                questions.remove(question);
                return Answer.REFUSED;
            }
            if (question == null)
            {
                if (questions.size() == MAX_QUESTIONS)
                {
                    return Answer.AWAITED;
                }
                question = new Question(page);
                questions.add(question);
            }
            if (permission == (question.permission & permission))
            {
                return Answer.AWAITED;
            }
            question.permission |= permission;
            question.isAsked = false;
        }
        onMiss.run();
        return Answer.AWAITED;
    }

    /** Whoever waits for one of these pages has an answer, or has to ask anew. */
    private synchronized void settle(final long from, final long to, final int permission)
    {
        questions.removeIf(question ->
            Long.compareUnsigned(question.page, from >>> PAGE_SHIFT) >= 0 &&
            Long.compareUnsigned(question.page, to >>> PAGE_SHIFT) <= 0 &&
            question.permission == (permission & question.permission));
    }

    private List<Translation> without(final long from, final long to)
    {
        final List<Translation> kept = new ArrayList<>(table.length + 1);
        for (final Translation old : table)
        {
            if (!old.overlaps(from, to))
            {
                kept.add(old);
            }
        }
        return kept;
    }
}
