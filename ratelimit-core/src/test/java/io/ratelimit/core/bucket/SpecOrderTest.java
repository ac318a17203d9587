package io.ratelimit.core.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SpecOrderTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);

    /** From the loosest to the tightest, and then the next version. */
    private static final List<CompiledSpec> ORDERED = List.of(
            spec(7, limit(20, SECOND, 40)),
            spec(7, Limit.of(20, SECOND)),
            spec(7, limit(10, SECOND, 40)),
            spec(7, Limit.of(10, SECOND)),
            spec(7, limit(500, HOUR, 5)),
            spec(7, limit(20, SECOND, 5), limit(500, HOUR, 700)),
            spec(7, limit(20, SECOND, 5), limit(500, HOUR, 5)),
            spec(7, Limit.of(0, HOUR)),
            spec(8, Limit.of(1_000, SECOND)));

    @Test
    void whatIsNewerOrTighterReplacesTheOther() {
        for (int i = 0; i < ORDERED.size(); i++) {
            for (int j = 0; j < ORDERED.size(); j++) {
                assertThat(ORDERED.get(i).replaces(ORDERED.get(j)))
                        .as("%d replaces %d", i, j)
                        .isEqualTo(i > j);
            }
        }
    }

    @Test
    void ofTwoThatDifferExactlyOneReplacesTheOther() {
        Random random = new Random(7);
        List<CompiledSpec> specs = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            Limit[] limits = new Limit[1 + random.nextInt(2)];
            for (int j = 0; j < limits.length; j++) {
                limits[j] =
                        limit(1 + random.nextInt(3), Duration.ofSeconds(1 + random.nextInt(3)), 1 + random.nextInt(3));
            }
            specs.add(spec(1, limits));
        }
        for (CompiledSpec one : specs) {
            for (CompiledSpec other : specs) {
                assertThat(one.replaces(other) ^ other.replaces(one)).isEqualTo(!one.equals(other));
            }
        }
        List<CompiledSpec> sorted = new ArrayList<>(specs);
        sorted.sort(new SpecOrder());
        Collections.shuffle(specs, random);
        specs.sort(new SpecOrder());
        assertThat(specs).isEqualTo(sorted);
    }

    private static Limit limit(long tokens, Duration period, long capacity) {
        return new Limit(tokens, period, capacity, Algorithm.TOKEN_BUCKET);
    }

    private static CompiledSpec spec(long version, Limit... limits) {
        return CompiledSpec.of(new BucketSpec("orders", "everyone", version, List.of(limits), StorePolicy.UNSET));
    }
}
