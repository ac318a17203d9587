package io.ratelimit.server.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Lists;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.server.traffic.HostReport.RefusedClient;
import io.ratelimit.server.traffic.HostReport.RuleCounts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ActivityTest {

    private final ManualTimeSource clock = new ManualTimeSource();
    private final SharedMemory memory = new SharedMemory(100 << 20);
    private final Activity activity = new Activity(clock, memory);

    /** To the begin of a minute. */
    @BeforeEach
    void align() {
        long pastMinute = clock.currentTimeMillis() % 60_000;
        clock.advance(Duration.ofMillis(60_000 - pastMinute));
    }

    @Test
    void spreadsCountsOverTheSlotsThatAReportTellsOf() {
        long begin = clock.currentTimeMillis();
        clock.advance(Duration.ofSeconds(12));
        activity.add(Reports.counts(begin + 2_000, begin + 12_000, new RuleCounts("r", 10, 3, 1)));

        ActivitySeries series = activity.series(Resolution.FINE, begin, List.of("r"));

        assertThat(series.times()).containsExactly(begin, begin + 5_000, begin + 10_000);
        ActivitySeries.RuleSeries rule = series.rules().get(0);
        assertThat(rule.allowed()).containsExactly(3L, 5L, 2L);
        assertThat(rule.refused()).containsExactly(0L, 2L, 1L);
        assertThat(rule.shadow()).containsExactly(0L, 0L, 1L);
        assertThat(activity.series(Resolution.COARSE, begin, List.of("r"))
                        .rules()
                        .get(0)
                        .allowed())
                .containsExactly(10L);
    }

    @Test
    void fillsGapsWithZerosOnOneAxisForAllRules() {
        long begin = clock.currentTimeMillis();
        activity.add(Reports.counts(begin, begin, new RuleCounts("early", 1, 0, 0)));
        clock.advance(Duration.ofSeconds(15));
        activity.add(Reports.counts(begin + 15_000, begin + 15_000, new RuleCounts("late", 2, 0, 0)));

        ActivitySeries series = activity.series(Resolution.FINE, begin, List.of("early", "late", "never"));

        assertThat(series.rules())
                .extracting(ActivitySeries.RuleSeries::allowed)
                .containsExactly(List.of(1L, 0L, 0L, 0L), List.of(0L, 0L, 0L, 2L), List.of(0L, 0L, 0L, 0L));
    }

    @Test
    void addsUpWhatAllRulesHaveDecidedThoseThatAreQuietNowIncluded() {
        long begin = clock.currentTimeMillis();
        activity.add(Reports.counts(begin, begin, new RuleCounts("a", 1, 2, 3), new RuleCounts("b", 10, 20, 30)));
        clock.advance(Duration.ofMinutes(20));
        activity.add(Reports.counts(begin + 1_200_000, begin + 1_200_000, new RuleCounts("a", 5, 0, 0)));

        ActivitySeries.RuleSeries all =
                activity.total(Resolution.COARSE, begin).rules().get(0);

        assertThat(all.rule()).isEqualTo(Activity.ALL_RULES);
        assertThat(all.allowed()).hasSize(21).startsWith(11L, 0L).endsWith(0L, 5L);
        assertThat(all.refused()).startsWith(22L).endsWith(0L);
        assertThat(all.shadow()).startsWith(33L);
        assertThat(activity.total(Resolution.FINE, 0).rules().get(0).refused()).containsOnly(0L);
    }

    @Test
    void keepsAQuarterOfAnHourInFineAndSixHoursInCoarseSlots() {
        long begin = clock.currentTimeMillis();
        activity.add(Reports.counts(begin, begin, new RuleCounts("r", 7, 0, 0)));

        clock.advance(Duration.ofMinutes(15).minusSeconds(5));
        ActivitySeries whole = activity.series(Resolution.FINE, 0, List.of("r"));
        assertThat(whole.times()).hasSize(180).startsWith(begin);
        assertThat(whole.rules().get(0).allowed()).startsWith(7L);

        clock.advance(Duration.ofSeconds(5));
        assertThat(activity.series(Resolution.FINE, 0, List.of("r"))
                        .rules()
                        .get(0)
                        .allowed())
                .hasSize(180)
                .containsOnly(0L);
        assertThat(activity.busiest(10)).isEmpty();

        clock.advance(Duration.ofHours(6).minusMinutes(16));
        assertThat(activity.series(Resolution.COARSE, 0, List.of("r"))
                        .rules()
                        .get(0)
                        .allowed())
                .hasSize(360)
                .startsWith(7L);
        clock.advance(Duration.ofMinutes(1));
        assertThat(activity.series(Resolution.COARSE, 0, List.of("r"))
                        .rules()
                        .get(0)
                        .allowed())
                .containsOnly(0L);
    }

    @Test
    void aSlotIsUsedAnewAfterItsTurn() {
        for (int i = 0; i < 400; i++) {
            long now = clock.currentTimeMillis();
            activity.add(Reports.counts(now, now, new RuleCounts("r", i, 0, 0)));
            clock.advance(Duration.ofSeconds(5));
        }
        List<Long> allowed =
                activity.series(Resolution.FINE, 0, List.of("r")).rules().get(0).allowed();

        assertThat(allowed).startsWith(221L, 222L).endsWith(398L, 399L, 0L);
    }

    @Test
    void increasesAreAskedForByTheTimeThatTheSeriesNames() {
        long begin = clock.currentTimeMillis();
        clock.advance(Duration.ofMinutes(2));
        long next = activity.series(Resolution.FINE, begin, List.of("r")).next();
        assertThat(next).isEqualTo(begin + 90_000);
        activity.add(Reports.counts(begin + 90_000, begin + 95_000, new RuleCounts("r", 4, 0, 0)));
        clock.advance(Duration.ofSeconds(5));

        ActivitySeries later = activity.series(Resolution.FINE, next, List.of("r"));

        assertThat(later.times()).hasSize(8).startsWith(begin + 90_000).endsWith(begin + 125_000);
        assertThat(later.rules().get(0).allowed()).startsWith(4L, 0L);
        assertThat(activity.series(Resolution.FINE, Long.MAX_VALUE, List.of("r"))
                        .times())
                .isEmpty();
    }

    @Test
    void countsOfTheFutureAreThoseOfNowAndThoseOfThePastAreLost() {
        long now = clock.currentTimeMillis();
        activity.add(Reports.counts(now + 50_000, now + 60_000, new RuleCounts("r", 5, 0, 0)));
        activity.add(Reports.counts(1, 10, new RuleCounts("r", 8, 0, 0)));

        assertThat(activity.series(Resolution.FINE, 0, List.of("r"))
                        .rules()
                        .get(0)
                        .allowed())
                .endsWith(5L)
                .filteredOn(count -> count > 0)
                .hasSize(1);
    }

    @Test
    void rulesThatFindNoPlaceCountTogether() {
        long now = clock.currentTimeMillis();
        for (int i = 0; i < Activity.MOST_RULES + 5; i++) {
            activity.add(Reports.counts(now, now, new RuleCounts("rule-" + i, 1, 0, 0)));
        }

        assertThat(activity.busiest(1)).containsExactly(Activity.OTHER_RULES);
        assertThat(activity.series(Resolution.FINE, now, List.of(Activity.OTHER_RULES))
                        .rules()
                        .get(0)
                        .allowed())
                .containsExactly(5L);

        clock.advance(Duration.ofHours(6).plusSeconds(1));
        long later = clock.currentTimeMillis();
        activity.add(Reports.counts(later, later, new RuleCounts("new", 1, 0, 0)));
        assertThat(activity.busiest(9)).containsExactly("new");
    }

    @Test
    void namesTheClientsThatARuleRefusedMost() {
        long now = clock.currentTimeMillis();
        activity.add(Reports.refused(now, new RefusedClient("r", "user=a", 3), new RefusedClient("r", "user=b", 5)));
        activity.add(Reports.refused(now, new RefusedClient("r", "user=a", 4), new RefusedClient("s", "user=c", 9)));

        assertThat(activity.mostRefused("r", 5))
                .containsExactly(new MostRefused("user=a", 7, 0), new MostRefused("user=b", 5, 0));
        assertThat(activity.mostRefused("r", 1)).hasSize(1);
        assertThat(activity.mostRefused("none", 5)).isEmpty();

        clock.advance(Duration.ofMinutes(15));
        assertThat(activity.mostRefused("r", 5)).isEmpty();
    }

    @Test
    void keepsThoseWhoAreRefusedOftenAmongVeryMany() {
        long now = clock.currentTimeMillis();
        List<RefusedClient> refused = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            refused.add(new RefusedClient("r", "ip=" + i % 4_000, 1));
            if (i % 10 == 0) {
                refused.add(new RefusedClient("r", "user=often", 2));
            }
        }
        Collections.shuffle(refused, new Random(1));
        for (List<RefusedClient> part : Lists.partition(refused, 20)) {
            activity.add(Reports.refused(now, part.toArray(RefusedClient[]::new)));
        }

        MostRefused most = activity.mostRefused("r", 100).get(0);
        assertThat(activity.mostRefused("r", 1_000)).hasSize(100);
        assertThat(most.client()).isEqualTo("user=often");
        assertThat(most.refused()).isGreaterThanOrEqualTo(2_000);
        assertThat(most.refused() - most.excess()).isLessThanOrEqualTo(2_000);
    }
}
