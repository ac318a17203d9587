package io.ratelimit.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ratelimit.Decision;
import io.ratelimit.TimeSource;
import io.ratelimit.core.explain.DescribedRequest;
import io.ratelimit.core.http.HttpAnswers;
import io.ratelimit.core.http.HttpSettings;
import io.ratelimit.core.retrieve.RulesSourceSettings;
import io.ratelimit.core.retrieve.RulesSources;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.RulesSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two hosts that follow a file which is edited while clients hold a budget. */
public abstract class EditedRulesContract {

    private static final int POLLS = 20;

    @TempDir
    private Path directory;

    private final ManualTimeSource clock = new ManualTimeSource(Long.MAX_VALUE - 1_000_000);
    private Host first;
    private Host second;

    /**
     * Has a host share its budgets with the other one.
     *
     * @param host the host
     * @param timeSource the clock that buckets go by
     */
    protected abstract void share(RateLimitEngineBuilder host, TimeSource timeSource);

    @AfterEach
    void stopHosts() {
        first.close();
        second.close();
    }

    /** Leases leave an eighth of the burst free: of 50, 43 pass. */
    @ParameterizedTest
    @CsvSource({"exact, 50", "leased, 43"})
    void neitherAnEditNorARestartGivesBackWhatWasUsed(String sharing, int ofFifty) throws IOException {
        startWith(rule(sharing, "1000 per 15m"));
        assertThat(admitted(1)).isEqualTo(1);

        edit(rule(sharing, "10 per 15m"));
        assertThat(admitted(20)).isEqualTo(9);
        assertThat(fieldNames(first.decide()))
                .contains("X-RateLimit-Limit: 10", "RateLimit-Policy: \"everyone\";q=10;w=900");
        second = second.restarted();
        assertThat(admitted(4)).isZero();

        edit(rule(sharing, "50 per 15m"));
        assertThat(admittedInAll(ofFifty - 10)).isBetween(ofFifty - 10, 40);
        first = first.restarted();
        assertThat(admitted(4)).isZero();
        awaitPolls();
        assertThat(admitted(5)).isZero();

        edit("[]");
        assertThat(admitted(5)).isEqualTo(5);
        assertThat(fieldNames(first.decide())).isEmpty();
        second = second.restarted();
        edit(rule(sharing, "50 per 15m"));
        assertThat(admitted(5)).isZero();

        clock.advance(Duration.ofMinutes(15));
        assertThat(admittedInAll(ofFifty)).isBetween(ofFifty, 50);
    }

    @Test
    void aTightenedLimitBitesThoughAHostHoldsTokensOfTheOldOne() throws IOException {
        startWith(rule("leased", "1000 per 15m"));
        int used = 0;
        for (int i = 0; i < 100; i++) {
            used += first.decide().allowed() ? 1 : 0;
        }
        assertThat(used).isEqualTo(100);
        edit(rule("leased", "110 per 15m"));
        assertThat(admitted(40)).isLessThanOrEqualTo(10);
        edit(rule("leased", "40 per 15m"));
        assertThat(admitted(20)).isZero();
    }

    @Test
    void anEditThatSaysTheSameOfALimitGivesNothingBack() throws IOException {
        startWith(rule("exact", "10 per 15m"));
        assertThat(admitted(10)).isEqualTo(10);
        for (String more : List.of("\n- { name: other, match: { path: /other }, limits: 1/s }", "")) {
            edit(rule("exact", "10 per 15m") + more);
            assertThat(admitted(2)).isZero();
        }
    }

    private void startWith(String rules) throws IOException {
        write(rules);
        first = new Host();
        second = new Host();
        decideBySomebodyElse();
        await().atMost(Duration.ofSeconds(20)).until(() -> first.hosts() == 2 && second.hosts() == 2);
        // Both have counted the hosts, and then enough time for leases has gone by.
        decideBySomebodyElse();
        clock.advance(Duration.ofSeconds(4));
    }

    private void decideBySomebodyElse() {
        first.decideBy("somebody else");
        second.decideBy("somebody else");
    }

    private void edit(String rules) throws IOException {
        long before = Math.max(first.version(), second.version());
        write(rules);
        await().atMost(Duration.ofSeconds(20)).until(() -> first.version() > before && second.version() > before);
    }

    private void write(String rules) throws IOException {
        Path next = Files.writeString(directory.resolve("next"), """
                service: orders
                clients: [user]
                storeTimeout: 10s
                onFailure: closed
                rules:
                """ + rules.indent(2));
        Files.move(next, directory.resolve("ratelimit.yaml"), StandardCopyOption.REPLACE_EXISTING);
    }

    private static String rule(String sharing, String limit) {
        return "- { name: everyone, sharing: %s, limits: %s }".formatted(sharing, limit);
    }

    /** How many of so many requests of one client pass that come to both hosts by turns. */
    private int admitted(int requests) {
        int admitted = 0;
        for (int i = 0; i < requests; i++) {
            admitted += (i % 2 == 0 ? first : second).decide().allowed() ? 1 : 0;
        }
        return admitted;
    }

    /** How many pass once all leases have come that are under way; as few as so many are enough. */
    private int admittedInAll(int enough) {
        AtomicInteger admitted = new AtomicInteger(admitted(60));
        await().atMost(Duration.ofSeconds(5)).until(() -> admitted.addAndGet(admitted(2)) >= enough);
        return admitted.get();
    }

    private void awaitPolls() {
        int enough = Math.max(first.polls.get(), second.polls.get()) + POLLS;
        await().atMost(Duration.ofSeconds(20)).until(() -> first.polls.get() >= enough && second.polls.get() >= enough);
    }

    private List<String> fieldNames(Decision decision) {
        return new HttpAnswers(HttpSettings.DEFAULT, clock)
                .fields(decision).stream()
                        .map(field -> field.name() + ": " + field.value())
                        .toList();
    }

    /** One host of the service. */
    private final class Host implements AutoCloseable {

        private final AtomicInteger polls = new AtomicInteger();
        private final RateLimitEngine engine;

        Host() {
            RateLimitEngineBuilder builder = RateLimitEngine.builder()
                    .rules(new CountedSource(
                            RulesSources.of(
                                    directory.resolve("ratelimit.yaml").toString(), RulesSourceSettings.of(null)),
                            polls))
                    .setting("pollInterval", "20ms")
                    .timeSource(clock);
            share(builder, clock);
            engine = builder.build();
            engine.start();
        }

        Decision decide() {
            return decideBy("alice");
        }

        Decision decideBy(String user) {
            return engine.limiter().decide(DescribedRequest.parse("GET / user=\"" + user + "\""));
        }

        int hosts() {
            return Stream.ofNullable(engine.sharedStore())
                    .mapToInt(store -> store.hosts())
                    .sum();
        }

        long version() {
            return engine.rules().version();
        }

        /** Its successor at the same place, after it has gone in order. */
        Host restarted() {
            close();
            return new Host();
        }

        @Override
        public void close() {
            engine.close();
        }
    }

    /** Says how often it was asked. */
    private record CountedSource(RulesSource source, AtomicInteger polls) implements RulesSource {

        @Override
        public String location() {
            return source.location();
        }

        @Override
        public Optional<RulesDocument> retrieve(@Nullable RulesDocument last) throws IOException, InterruptedException {
            polls.incrementAndGet();
            return source.retrieve(last);
        }

        @Override
        public void close() {
            source.close();
        }
    }
}
