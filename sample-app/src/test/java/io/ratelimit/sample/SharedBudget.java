package io.ratelimit.sample;

import static io.ratelimit.sample.Caller.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.sample.Caller.Answer;
import java.nio.file.Path;
import java.util.List;

/** One client, 40 requests an hour, and three times as many at all nodes at once. */
final class SharedBudget {

    static final int LIMIT = 40;

    private static final int REQUESTS = 3 * LIMIT;
    private static final int CONCURRENCY = 32;
    private static final long SECONDS_PER_TOKEN = 3600 / LIMIT;

    private final Caller caller = new Caller();
    private final List<String> urls;

    SharedBudget(List<String> urls) {
        this.urls = urls;
    }

    /**
     * What is tested is that nobody counts wrongly, not that the machine is quick: a node must not lose patience with
     * the cluster and go on alone while a busy machine gives it no time.
     */
    static RulesFile rules(Path directory) {
        return rules(directory, ", storeTimeout: 5s");
    }

    /** With the store's usual time. */
    static RulesFile usualRules(Path directory) {
        return rules(directory, "");
    }

    private static RulesFile rules(Path directory, String more) {
        return new RulesFile(
                directory,
                "- { name: everyone, match: { path: /api/orders/** }, limits: " + LIMIT + "/h" + more + " }");
    }

    /** Each round is a client of its own. */
    void assertIsExactIn(int rounds) {
        for (int round = 0; round < rounds; round++) {
            String[] client = key("round-" + round);
            long before = System.nanoTime();
            List<Answer> answers = caller.many(
                    REQUESTS, CONCURRENCY, i -> caller.get(urls.get(i % urls.size()) + "/api/orders", client));
            long earned = (System.nanoTime() - before) / (SECONDS_PER_TOKEN * 1_000_000_000);

            assertThat(answers).as("round %d", round).allMatch(answer -> answer.isPassed() || answer.isRefused());
            List<Answer> passed = answers.stream().filter(Answer::isPassed).toList();
            assertThat(passed.size()).as("passed in round %d", round).isBetween(LIMIT, (int) (LIMIT + earned));
            List<Long> remaining = passed.stream().map(Answer::remaining).toList();
            assertThat(remaining).allMatch(tokens -> tokens >= 0 && tokens < LIMIT);
            long repeated = remaining.size() - remaining.stream().distinct().count();
            assertThat(repeated)
                    .as("remaining values seen twice in round %d", round)
                    .isLessThanOrEqualTo(earned);
        }
    }
}
