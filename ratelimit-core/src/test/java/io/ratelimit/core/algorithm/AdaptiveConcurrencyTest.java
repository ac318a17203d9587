package io.ratelimit.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ratelimit.LimitState;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOptions;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;

class AdaptiveConcurrencyTest {

    private static final Duration FAST = Duration.ofMillis(50);
    private static final Duration SLOW = Duration.ofMillis(500);

    private final ManualTimeSource time = new ManualTimeSource();

    @Test
    void aRequestThatCostsNothingTeachesNothing() {
        AdaptiveConcurrency limit = AdaptiveConcurrency.of(
                new Limit(20, Duration.ZERO, 20, Algorithm.CONCURRENCY).with(LimitOptions.NONE.withAdaptive(true)));
        Moment begin = Moment.ofNanos(0);
        long[] state = limit.spend(limit.full(begin), begin, 1);
        int before = limit.learnedTokens();
        for (int i = 1; i < 200; i++) {
            limit.release(state, Moment.ofNanos(i * 3_600_000_000_000L), 0, limit.receipt(state, state));
        }
        assertThat(limit.learnedTokens()).isEqualTo(before);
    }

    @Test
    void startsAtTheTokensOfTheLimit() {
        AdaptiveConcurrency limit = AdaptiveConcurrency.of(limit(20, 20));
        long[] state = limit.spend(limit.full(now()), now(), 19);
        assertThat(limit.remaining(state, now())).isEqualTo(1);
        assertThat(limit.waitNanos(state, now(), 2)).isEqualTo(LimitState.NEVER);
        assertThat(limit.waitNanos(state, now(), 1)).isZero();
        assertThat(limit.waitNanos(limit.spend(state, now(), 1), now(), 0)).isZero();
        assertThat(limit.fullNanos(state, now())).isEqualTo(LimitAlgorithm.NOT_BY_WAITING);
    }

    @Test
    void fastResponsesUnderLoadRaiseTheNumberUpToTheBound() {
        AdaptiveConcurrency limit = AdaptiveConcurrency.of(limit(20, 30));
        serve(limit, FAST, 200);
        assertThat(limit.learnedTokens()).isBetween(22, 29);
        serve(limit, FAST, 1_000);
        assertThat(limit.learnedTokens()).isEqualTo(30);
        assertThat(AdaptiveConcurrency.of(limit(20, 20)).capacity()).isEqualTo(AdaptiveConcurrency.USUAL_BOUND);
        assertThat(AdaptiveConcurrency.of(limit(2_000, 2_000)).capacity()).isEqualTo(2_000);
    }

    @Test
    void slowerResponsesUnderLoadLowerTheNumberAndFastOnesRaiseItAgain() {
        AdaptiveConcurrency limit = AdaptiveConcurrency.of(limit(100, 200));
        serve(limit, FAST, 400);
        int before = limit.learnedTokens();
        serve(limit, SLOW, 60);
        int slow = limit.learnedTokens();
        assertThat(slow).isLessThan(before / 2);
        serve(limit, FAST, 400);
        assertThat(limit.learnedTokens()).isGreaterThan(slow);
    }

    @Test
    void learnsFromResponsesThatTakeHalfAMinuteToo() {
        AdaptiveConcurrency limit = AdaptiveConcurrency.of(limit(20, 30));
        Deque<long[]> receipts = new ArrayDeque<>();
        long[] state = limit.full(now());
        for (int step = 0; step < 1_000; step++) {
            if (receipts.size() >= 20) {
                state = limit.release(state, now(), 1, receipts.remove());
            }
            if (limit.admits(state, now(), 1)) {
                state = limit.spend(state, now(), 1);
                receipts.add(limit.receipt(state, state));
            }
            time.advance(Duration.ofMillis(1_500));
        }
        assertThat(limit.learnedTokens()).isGreaterThan(20);
    }

    @Test
    void neverFallsBelowOne() {
        AdaptiveConcurrency limit = AdaptiveConcurrency.of(limit(1, 1));
        for (int round = 1; round < 100; round++) {
            serve(limit, FAST.multipliedBy(round), 20);
            assertThat(limit.learnedTokens()).isGreaterThanOrEqualTo(1);
        }
    }

    @Test
    void requestsInFlightAreNeverLost() {
        AdaptiveConcurrency limit = AdaptiveConcurrency.of(limit(50, 50));
        Deque<long[]> receipts = new ArrayDeque<>();
        long[] state = limit.full(now());
        for (int i = 0; i < 50; i++) {
            state = limit.spend(state, now(), 1);
            receipts.add(limit.receipt(state, state));
            time.advance(Duration.ofMillis(1));
        }
        AdaptiveConcurrency lower = AdaptiveConcurrency.of(limit(10, 10));
        state = lower.carryOver(limit, state, now());
        for (int left = 50; left > 0; left--) {
            assertThat(lower.fullNanos(state, now())).isEqualTo(LimitAlgorithm.NOT_BY_WAITING);
            assertThat(lower.remaining(state, now())).isEqualTo(Math.max(0, lower.learnedTokens() - left));
            state = lower.release(state, now(), 1, receipts.remove());
        }
        assertThat(lower.isFull(state, now())).isTrue();
    }

    @Test
    void aRequestThatIsAloneIsAdmittedUpToTheBound() {
        AdaptiveConcurrency limit = AdaptiveConcurrency.of(limit(2, 10));
        assertThat(limit.waitNanos(limit.full(now()), now(), 10)).isZero();
        assertThat(limit.waitNanos(limit.full(now()), now(), 11)).isEqualTo(LimitState.NEVER);
        long[] one = limit.spend(limit.full(now()), now(), 1);
        assertThat(limit.waitNanos(one, now(), 2)).isEqualTo(LimitState.NEVER);
    }

    @Test
    void aChargeThatIsTakenBackAtOnceTeachesNothing() {
        AdaptiveConcurrency limit = AdaptiveConcurrency.of(limit(20, 200));
        serve(limit, Duration.ofNanos(50_000), 100_000);
        assertThat(limit.learnedTokens()).isEqualTo(20);
    }

    @Test
    void goesOnWithWhatAnEarlierLimitHasLearned() {
        AdaptiveConcurrency earlier = AdaptiveConcurrency.of(limit(20, 200));
        serve(earlier, FAST, 400);
        int learned = earlier.learnedTokens();
        assertThat(learned).isGreaterThan(25);
        AdaptiveConcurrency same = AdaptiveConcurrency.of(limit(10, 200)).continuing(earlier);
        assertThat(same.learnedTokens()).isEqualTo(learned);
        serve(earlier, FAST, 400);
        assertThat(same.learnedTokens()).isEqualTo(earlier.learnedTokens()).isGreaterThan(learned);
        AdaptiveConcurrency lower = AdaptiveConcurrency.of(limit(10, 25)).continuing(earlier);
        assertThat(lower.learnedTokens()).isEqualTo(25);
        AdaptiveConcurrency higher = AdaptiveConcurrency.of(limit(10, 300)).continuing(earlier);
        assertThat(higher.learnedTokens()).isEqualTo(earlier.learnedTokens());
    }

    @Test
    void goesOnFromAFixedNumberAndBackToIt() {
        Concurrency fixed = Concurrency.of(new Limit(3, Duration.ZERO, 3, Algorithm.CONCURRENCY));
        AdaptiveConcurrency limit = AdaptiveConcurrency.of(limit(3, 3));
        long[] two = fixed.spend(fixed.full(now()), now(), 2);
        long[] carried = limit.carryOver(fixed, two, now());
        assertThat(limit.remaining(carried, now())).isEqualTo(1);
        long[] one = limit.release(carried, now(), 1, fixed.receipt(two, two));
        assertThat(limit.remaining(one, now())).isEqualTo(2);
        assertThat(fixed.remaining(fixed.carryOver(limit, one, now()), now())).isEqualTo(2);
    }

    @Test
    void aChargeOfACountThatEndedIsNoneOfTheNextOne() {
        AdaptiveConcurrency limit = AdaptiveConcurrency.of(limit(3, 3));
        long[] before = limit.spend(limit.full(now()), now(), 1);
        time.advance(FAST);
        long[] after = limit.spend(limit.full(now()), now(), 1);
        assertThat(limit.release(after, now(), 1, before)).isEqualTo(after);
        assertThat(limit.undo(after, now(), 1, before)).isEqualTo(after);
    }

    @Test
    void aRequestThatNeverRanTeachesNothing() {
        AdaptiveConcurrency limit = AdaptiveConcurrency.of(limit(20, 30));
        long[] state = limit.full(now());
        for (int i = 0; i < 1_000; i++) {
            long[] charged = limit.spend(state, now(), 20);
            time.advance(FAST);
            state = limit.undo(charged, now(), 20, limit.receipt(state, charged));
        }
        assertThat(limit.learnedTokens()).isEqualTo(20);
        assertThat(limit.isFull(state, now())).isTrue();
    }

    @Test
    void ofTwoViewsTheOneWithMoreInFlightCounts() {
        AdaptiveConcurrency limit = AdaptiveConcurrency.of(limit(9, 9));
        long[] four = limit.spend(limit.full(now()), now(), 4);
        long[] five = limit.spend(limit.full(now()), now(), 5);
        assertThat(limit.tighter(four, five, now())).isEqualTo(five);
        assertThat(limit.tighter(five, four, now())).isEqualTo(five);
    }

    @Test
    void travelsToAClockWithAnotherOrigin() {
        AdaptiveConcurrency limit = AdaptiveConcurrency.of(limit(3, 3));
        time.advance(FAST);
        long[] two = limit.spend(limit.full(now()), now(), 2);
        long[] departed = limit.depart(two, now().minusNanos(-9));
        assertThat(limit.arrive(departed, Moment.ofNanos(109))).isEqualTo(new long[] {2, 100, 100});
        assertThatThrownBy(() -> limit.arrive(new long[] {2}, now())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void saysWhatItCannotLearn() {
        assertThatThrownBy(() -> AdaptiveConcurrency.of(limit(0, 0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("starts at 1 token or more");
        assertThatThrownBy(() -> AdaptiveConcurrency.of(limit(1L << 31, 1L << 31)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 2147483647 tokens");
    }

    @Test
    void saysWhichLibraryIsMissing() throws Exception {
        Class<?> adaptive = new WithoutNetflix().loadClass(AdaptiveConcurrency.class.getName());
        assertThatThrownBy(() -> adaptive.getMethod("of", Limit.class).invoke(null, limit(1, 1)))
                .isInstanceOf(InvocationTargetException.class)
                .cause()
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("add com.netflix.concurrency-limits:concurrency-limits-core");
    }

    /** As many requests as are admitted go on at any time; each takes the same time. */
    private void serve(AdaptiveConcurrency limit, Duration responseTime, int rounds) {
        long[] state = limit.full(now());
        for (int round = 0; round < rounds; round++) {
            Deque<long[]> receipts = new ArrayDeque<>();
            while (limit.admits(state, now(), 1)) {
                state = limit.spend(state, now(), 1);
                receipts.add(limit.receipt(state, state));
            }
            time.advance(responseTime);
            while (!receipts.isEmpty()) {
                state = limit.release(state, now(), 1, receipts.remove());
            }
        }
    }

    private Moment now() {
        return Moment.ofNanos(time.nanoTime());
    }

    private static Limit limit(long tokens, long capacity) {
        return new Limit(tokens, Duration.ZERO, capacity, Algorithm.CONCURRENCY, LimitOptions.NONE.withAdaptive(true));
    }

    /** Loads the algorithms anew and finds nothing of the library. */
    private static final class WithoutNetflix extends ClassLoader {

        WithoutNetflix() {
            super(AdaptiveConcurrency.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("com.netflix.")) {
                throw new ClassNotFoundException(name);
            }
            if (!name.startsWith("io.ratelimit.core.algorithm.")) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : define(name);
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
