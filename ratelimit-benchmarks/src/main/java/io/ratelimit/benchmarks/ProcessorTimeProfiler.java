package io.ratelimit.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Processor time of the whole process for an operation. What makes garbage leaves work to threads that the time of an
 * operation does not show.
 */
public final class ProcessorTimeProfiler implements InternalProfiler {

    static final String LABEL = "processor.norm";

    private final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private long before;

    /** For JMH. */
    public ProcessorTimeProfiler() {}

    @Override
    public String getDescription() {
        return "processor time of the process for an operation";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        before = system.getProcessCpuTime();
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        long used = system.getProcessCpuTime() - before;
        long operations = Math.max(1, result.getMetadata().getAllOps());
        return List.of(new ScalarResult(LABEL, (double) used / operations, "ns/op", AggregationPolicy.AVG));
    }
}
