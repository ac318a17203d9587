package io.ratelimit.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.benchmarks.filter.Container;
import io.ratelimit.benchmarks.filter.FilterMeasurement;
import io.ratelimit.benchmarks.filter.Sample;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Benchmark;

class DesignBudgetsTest {

    private static final Map<Group, List<Class<?>>> BENCHMARKS = Map.of(
            Group.HOT_ADMITTED, List.of(HotKeyBenchmark.class, HotDecisionBenchmark.class),
            Group.HOT_REFUSED, List.of(HotKeyBenchmark.class, HotDecisionBenchmark.class),
            Group.MILLION_CLIENTS, List.of(ManyClientsBenchmark.class),
            Group.HOT_CLIENTS, List.of(ManyClientsBenchmark.class),
            Group.RULES, List.of(RuleCountBenchmark.class));

    @Test
    void everyBudgetIsForABenchmarkThatExistsAndComparesItWithOneThatExists() {
        Results all = new Results(
                Arrays.stream(Group.values())
                        .flatMap(group -> names(group).map(name -> new Measurement(group, name, 1, 1, 0, 0, 1)))
                        .toList(),
                Arrays.stream(Table.values())
                        .map(table -> new Footprint(table.title(), 1, 1, 1, 1))
                        .toList(),
                Arrays.stream(Container.values())
                        .flatMap(container -> container.variants().stream()
                                .map(variant ->
                                        new FilterMeasurement(container, variant, List.of(new Sample(1, 1, 1, 200)))))
                        .toList());

        assertThat(DesignBudgets.all())
                .allSatisfy(budget -> assertThat(budget.judge(all)).isNotEmpty());
    }

    @Test
    void everyGroupHasItsReference() {
        assertThat(Group.values()).allSatisfy(group -> assertThat(names(group)).contains(group.reference()));
    }

    private static Stream<String> names(Group group) {
        return BENCHMARKS.get(group).stream()
                .flatMap(type -> Arrays.stream(type.getMethods()))
                .filter(method -> method.isAnnotationPresent(Benchmark.class))
                .map(Method::getName);
    }
}
