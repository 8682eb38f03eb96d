package io.ringtap.bench.scenario;

import io.ringtap.bench.harness.Scenario;

import java.util.List;

/** Every benchmark, in the order of the report. */
public final class Catalogue
{
    private static final List<Scenario> ALL = List.of(
        new RingScenario(),
        TapScenario.manyFlows(),
        TapScenario.oneFlow(),
        TapScenario.eightFlows(),
        new UdpSocketScenario(),
        new TsoScenario(),
        new TapToGuestScenario(),
        new QemuScenario(),
        new LatencyScenario(),
        new SmallPathScenario(),
        new PageFragScenario(),
        new RegistrationScenario(),
        new FlowSortScenario(),
        new FlushThresholdScenario(),
        new PacketRingScenario(),
        new XskScenario(),
        new VmToVmScenario(),
        new XdpPassScenario(),
        new XdpScenario(),
        new CaptureScenario(),
        new CountersScenario(),
        new StartScenario(),
        new IdleScenario(),
        new MemoryScenario());

    private Catalogue()
    {
    }

    public static List<Scenario> all()
    {
        return ALL;
    }
}
