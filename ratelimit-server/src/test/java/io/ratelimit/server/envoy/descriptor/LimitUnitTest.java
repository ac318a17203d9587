package io.ratelimit.server.envoy.descriptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.ratelimit.core.algorithm.LimitAlgorithm;
import io.ratelimit.rules.Limit;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LimitUnitTest {

    private static final long MOST = 4_294_967_295L;

    @ParameterizedTest
    @EnumSource
    void anyNumberOfRequestsCanBeCounted(LimitUnit unit) {
        SplittableRandom random = new SplittableRandom(1);
        LongStream numbers = LongStream.concat(
                LongStream.of(0, 1, 69_999_999, 70_000_001, 74_293_121, 99_999_989, 100_000_001, MOST),
                random.longs(2_000, 1, 100_000_000));

        numbers.forEach(number -> {
            Limit limit = unit.limit(number);
            assertThatCode(() -> LimitAlgorithm.of(limit))
                    .as(number + " a " + unit)
                    .doesNotThrowAnyException();
            assertThat(limit.tokens()).isBetween(number - number / 70, number);
        });
    }
}
