package io.ringtap.hostile;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Every "driver MUST" of rings and net headers broken, one at a time, against a running process: an attack costs a
 * frame or a ring, its counter tells, and neither another ring nor a neighbour's NIC notices.
 */
class HostileGuestTest
{
    private static final int LEAST = 250;
    private static final int SHOWN = 12;

    static List<Attack> attacks()
    {
        final List<Attack> attacks = new ArrayList<>(ChainAttacks.all());
        attacks.addAll(TableAttacks.all());
        attacks.addAll(HeaderAttacks.all());
        attacks.addAll(ReceiveAttacks.all());
        attacks.addAll(RingAttacks.all());
        attacks.addAll(RaceAttacks.all());
        return attacks;
    }

    @ParameterizedTest
    @EnumSource
    void shouldCostAFrameOrARing(final HostileSetting setting)
    {
        final List<String> failures = new ArrayList<>();
        int cases = 0;
        try (HostileBed bed = new HostileBed(setting))
        {
            final Flows flows = Flows.find(bed, setting);
            for (final Attack attack : attacks())
            {
                if (attack.suits(setting) && failures.size() < SHOWN)
                {
                    cases++;
                    try
                    {
                        new AttackRun(bed, setting, attack, flows).run();
                    }
                    catch (final AssertionError | RuntimeException failure)
                    {
                        failures.add(attack.name() + ": " + failure);
                    }
                }
            }
            assertEquals(List.of(), failures, setting + ": failed after " + cases + " cases");
        }
        System.out.println("hostile guest, " + setting + ": " + cases + " cases");
        assertTrue(LEAST < cases, "only " + cases + " cases");
    }
}
