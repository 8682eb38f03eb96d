package io.ringtap.bench.harness;

import java.util.List;

/** What one side did in all its turns. */
public record SideRun(String label, List<Sample> samples)
{
    public Distribution values()
    {
        return Distribution.of(samples.stream().mapToDouble(Sample::value).toArray());
    }

    public Distribution cpuNs()
    {
        return Distribution.of(samples.stream().mapToDouble(Sample::cpuNs).toArray());
    }
}
