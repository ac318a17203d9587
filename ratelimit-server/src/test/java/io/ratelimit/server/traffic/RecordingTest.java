package io.ratelimit.server.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.ManualTimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecordingTest {

    private final ManualTimeSource clock = new ManualTimeSource();
    private final Recording recording = new Recording(clock, () -> Long.MAX_VALUE);

    @Test
    void tellsTheRequestsOfAllHostsInTheOrderOfTime() {
        long now = clock.currentTimeMillis();
        recording.add(Reports.requests(1, List.of(Reports.request(now - 10, "/a"), Reports.request(now - 5, "/c"))));
        recording.add(Reports.requests(0.5, List.of(Reports.request(now - 8, "/b"), Reports.request(now - 5, "/d"))));

        assertThat(recording.requests())
                .extracting(sampled -> sampled.request().path())
                .containsExactly("/a", "/b", "/c", "/d");
        assertThat(recording.requests()).extracting(SampledRequest::share).containsExactly(1.0, 0.5, 1.0, 0.5);
    }

    @Test
    void keepsAQuarterOfAnHour() {
        long now = clock.currentTimeMillis();
        recording.add(Reports.requests(1, List.of(Reports.request(now, "/a"))));
        recording.add(Reports.requests(1, List.of(Reports.request(now - 1_000, "/late"))));

        clock.advance(Duration.ofMinutes(15));
        assertThat(recording.requests())
                .extracting(sampled -> sampled.request().path())
                .containsExactly("/a");
        clock.advance(Duration.ofMillis(1));
        assertThat(recording.requests()).isEmpty();
    }

    @Test
    void passesOverWhatIsTooOldOrHasNotHappenedYet() {
        long now = clock.currentTimeMillis();
        recording.add(Reports.requests(
                1,
                List.of(Reports.request(1, "/old"), Reports.request(now + 60_000, "/new"), Reports.request(now, "/"))));

        assertThat(recording.requests()).hasSize(1);
    }

    @Test
    void theOldestGoWhereThereAreTooMany() {
        long now = clock.currentTimeMillis();
        for (int report = 0; report < 21; report++) {
            List<RecordedRequest> requests = new ArrayList<>();
            for (int i = 0; i < 10_000; i++) {
                requests.add(Reports.request(now + report, "/" + report));
            }
            recording.add(Reports.requests(1, requests));
        }

        List<SampledRequest> kept = recording.requests();
        assertThat(kept).hasSize(Recording.MOST_REQUESTS);
        assertThat(kept.get(0).request().path()).isEqualTo("/1");
    }

    @Test
    void theOldestGoWhereTheyTakeTooMuchMemory() {
        long now = clock.currentTimeMillis();
        String start = "/".repeat(RecordedRequest.LONGEST_TEXT - 10);
        List<RecordedRequest> requests = new ArrayList<>();
        for (int i = 0; i < 50_000; i++) {
            requests.add(Reports.request(now, start + i));
        }
        recording.add(Reports.requests(1, requests));

        // A path of more than 2,000 characters each.
        List<SampledRequest> kept = recording.requests();
        assertThat(kept).hasSizeBetween(40_000, 49_000);
        assertThat(kept.get(kept.size() - 1).request().path()).isEqualTo(start + 49_999);
    }

    @Test
    void equalTextsAreKeptOnceAndWeighOnce() {
        long now = clock.currentTimeMillis();
        String path = "/".repeat(RecordedRequest.LONGEST_TEXT);
        List<RecordedRequest> requests = new ArrayList<>();
        for (int i = 0; i < 50_000; i++) {
            requests.add(Reports.request(now, String.copyValueOf(path.toCharArray())));
        }
        recording.add(Reports.requests(1, requests));

        List<SampledRequest> kept = recording.requests();
        assertThat(kept).hasSize(50_000);
        assertThat(kept.get(0).request().path())
                .isSameAs(kept.get(49_999).request().path());
    }

    @Test
    void whatGoesMakesRoom() {
        SharedTexts texts = new SharedTexts();
        texts.take("/a");
        long one = texts.bytes();
        texts.take("/a");
        texts.take("/b");
        assertThat(texts.bytes()).isEqualTo(2 * one);

        texts.giveBack("/a");
        assertThat(texts.bytes()).isEqualTo(2 * one);
        texts.giveBack("/a");
        texts.giveBack("/b");
        assertThat(texts.bytes()).isZero();
    }

    @Test
    void aServiceTakesInWhatAHostReportsByItsOwnClock() {
        ServiceTraffic traffic = new Traffic(clock, 100 << 20).of("orders");
        long wrong = clock.currentTimeMillis() - Duration.ofHours(5).toMillis();
        traffic.take(new HostReport(
                "a/1",
                "17",
                HostReport.Origin.SOURCE,
                wrong - 60_000,
                null,
                wrong - 5_000,
                wrong,
                List.of(new HostReport.RuleCounts("r", 10, 0, 0)),
                List.of(new HostReport.RefusedClient("r", "user=a", 1)),
                1,
                List.of(Reports.request(wrong - 1, "/a"))));

        assertThat(traffic.recording().requests().get(0).request().at()).isEqualTo(clock.currentTimeMillis() - 1);
        assertThat(traffic.activity().busiest(9)).containsExactly("r");
        assertThat(traffic.activity().mostRefused("r", 9)).hasSize(1);
        assertThat(traffic.fleet().rollout("17").isComplete()).isTrue();
    }
}
