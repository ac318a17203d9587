package io.ratelimit.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.rules.Limit;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is measured does what it should, so that figures compare the same work. */
class LimitersTest {

    @ParameterizedTest
    @EnumSource(Table.class)
    void everyTableGivesEachClientItsTokenOnce(Table table) {
        ClientTable clients = table.empty(TestedLimits.REFUSES_ALL_BUT_ONE);

        assertThat(clients.tryAcquire("ann")).isTrue();
        assertThat(clients.tryAcquire("ann")).isFalse();
        assertThat(clients.tryAcquire("bob")).isTrue();
    }

    @Test
    void theReferenceAdmitsTheCapacityAndNoMore() {
        Gcra gcra = Gcra.of(Limit.of(3, Duration.ofHours(1)));
        AtomicLong state = gcra.full();

        assertThat(gcra.tryAcquire(state)).isTrue();
        assertThat(gcra.tryAcquire(state)).isTrue();
        assertThat(gcra.tryAcquire(state)).isTrue();
        assertThat(gcra.tryAcquire(state)).isFalse();
    }

    @ParameterizedTest
    @EnumSource(Outcome.class)
    void everyLimiterOfAHotKeyAnswersAsTheBenchmarkSays(Outcome outcome) {
        HotKeyBenchmark limiters = new HotKeyBenchmark();
        limiters.outcome = outcome;
        limiters.makeLimiters();
        limiters.check();

        HotDecisionBenchmark decisions = new HotDecisionBenchmark();
        decisions.outcome = outcome;
        decisions.start();
        HotDecisionBenchmark.Reading reading = new HotDecisionBenchmark.Reading();
        // A limit that lets all pass has the more tokens left, and one that refuses the longer wait.
        assertThat(decisions.ourDecisionRead(reading)).isGreaterThan(100_000_000);
        assertThat(decisions.ourDecisionTwoLimitsRead(reading)).isGreaterThan(10_000_000_000L);
        decisions.stop();
    }

    @Test
    void tenThousandRulesFitInOneFileAndOneOfThemMatches() {
        RuleCountBenchmark rules = new RuleCountBenchmark();
        rules.start();
        assertThat(rules.tenThousandRules()).isTrue();
        rules.stop();
    }

    @Test
    void namesOfClientsAreEqualAndNotTheSame() {
        ClientNames names = new ClientNames(20);

        assertThat(names.of(12)).isEqualTo("client-000000012").isNotSameAs(names.of(12));
    }
}
