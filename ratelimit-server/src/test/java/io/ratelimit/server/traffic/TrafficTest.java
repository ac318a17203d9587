package io.ratelimit.server.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.ManualTimeSource;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TrafficTest {

    private static final int SERVICES = 20;

    private final ManualTimeSource clock = new ManualTimeSource();
    private final Traffic traffic = new Traffic(clock, 4 << 20);

    @Test
    void requestsOfAllServicesTogetherAreBoundedAndEachKeepsAsMany() {
        for (int service = 0; service < SERVICES; service++) {
            record("service-" + service, 10_000);
        }
        traffic.forgetOld();

        List<Integer> kept = IntStream.range(0, SERVICES)
                .mapToObj(service ->
                        traffic.of("service-" + service).recording().requests().size())
                .toList();
        // A request takes some 300 bytes here, and there are 2 MiB for all.
        assertThat(kept).allSatisfy(size -> assertThat(size).isBetween(100, 1_000));
        assertThat(kept).containsOnly(kept.get(0));
    }

    @Test
    void aServiceThatIsAloneKeepsMore() {
        record("orders", 10_000);

        assertThat(traffic.of("orders").recording().requests()).hasSizeGreaterThan(2_000);
    }

    @Test
    void countsOfAllServicesTogetherAreBoundedAndWhatFindsNoPlaceIsCountedTogether() {
        for (int service = 0; service < SERVICES; service++) {
            for (int rule = 0; rule < 100; rule++) {
                count("service-" + service, "rule-" + rule);
            }
        }

        assertThat(kept("service-0")).hasSize(100);
        assertThat(kept("service-19")).containsExactly(Activity.OTHER_RULES);
        assertThat(traffic.of("service-19")
                        .activity()
                        .total(Resolution.FINE, 0)
                        .rules()
                        .get(0)
                        .allowed())
                .endsWith(100L);
    }

    @Test
    void hostsOfAllServicesTogetherAreBoundedToo() {
        for (int service = 0; service < SERVICES; service++) {
            for (int host = 0; host < 100; host++) {
                traffic.of("service-" + service).fleet().polled("app-" + host, "17");
            }
        }

        assertThat(IntStream.range(0, SERVICES)
                        .map(service -> traffic.of("service-" + service)
                                .fleet()
                                .rollout("17")
                                .hosts()
                                .size())
                        .sum())
                .isBetween(500, 1_000);
    }

    @Test
    void aServiceThatIsGoneOrQuietMakesRoom() {
        for (int rule = 0; rule < 200; rule++) {
            count("gone", "rule-" + rule);
        }
        ServiceTraffic gone = traffic.of("gone");
        count("orders", "a");
        assertThat(kept("orders")).containsExactly(Activity.OTHER_RULES);

        traffic.forget("gone");
        gone.take(report("rule-1"));
        for (int rule = 0; rule < 150; rule++) {
            count("orders", "rule-" + rule);
        }
        assertThat(kept("orders")).hasSize(151);

        clock.advance(Duration.ofHours(7));
        traffic.forgetOld();
        for (int rule = 0; rule < 150; rule++) {
            count("payments", "rule-" + rule);
        }
        assertThat(kept("payments")).hasSize(150);
    }

    @Test
    void aServiceThatNobodyTellsOfIsForgotten() {
        ServiceTraffic quiet = traffic.of("orders");
        count("busy", "rule");
        ServiceTraffic busy = traffic.of("busy");

        traffic.forgetOld();

        assertThat(traffic.of("orders")).isNotSameAs(quiet);
        assertThat(traffic.of("busy")).isSameAs(busy);
    }

    private List<String> kept(String service) {
        return traffic.of(service).activity().busiest(1_000);
    }

    private void count(String service, String rule) {
        traffic.of(service).take(report(rule));
    }

    private HostReport report(String rule) {
        long now = clock.currentTimeMillis();
        return Reports.counts(now, now, new HostReport.RuleCounts(rule, 1, 0, 0));
    }

    private void record(String service, int requests) {
        long now = clock.currentTimeMillis();
        traffic.of(service)
                .recording()
                .add(Reports.requests(
                        1,
                        IntStream.range(0, requests)
                                .mapToObj(i -> Reports.request(now, "/orders/" + i))
                                .toList()));
    }
}
