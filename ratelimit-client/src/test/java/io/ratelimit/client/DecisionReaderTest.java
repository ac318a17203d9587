package io.ratelimit.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ratelimit.LimitStatus;
import io.ratelimit.Settlement;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DecisionReaderTest {

    private static final String REFUSED = """
            {"allowed":false,"reason":"LIMIT_EXCEEDED","status":429,"retryAfterMillis":1200,"deciding":0,
             "limits":[{"rule":"r","policy":"r","tokens":5,"period":"PT1S","capacity":10,
              "algorithm":"token-bucket","remaining":0,"retryAfterMillis":1300,"nextTokenMillis":200}]}
            """;

    private static DaemonDecision read(String text) {
        return DecisionReader.read(text, receipt -> Settlement.NOTHING);
    }

    /** The answer with another value in the first field of this name. */
    private static String with(String field, String value) {
        String changed = REFUSED.replaceFirst("\"" + field + "\":[^,}]+", "\"" + field + "\":" + value);
        assertThat(changed).isNotEqualTo(REFUSED);
        return changed;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "status|399",
                "status|600",
                "status|0",
                "status|-429",
                // 429 and 200 of 2^32.
                "status|4294967725",
                "status|4294967496",
                "status|-4294966867",
                "status|9223372036854775807",
                "status|99999999999999999999",
                "status|429.0",
                "status|429.5",
                "status|4.29e2",
                "status|1e400",
                "status|'\"429\"'",
                "status|NaN",
                "status|'\"NaN\"'",
                "status|Infinity",
                "status|-Infinity",
                "status|0429",
                "status|+429",
                "status|0x1AD",
                "status|[429]",
                "status|{}",
                "status|true",
                "deciding|1",
                "deciding|-1",
                "deciding|4294967296",
                "deciding|0.0",
                "deciding|'\"0\"'",
                "deciding|false",
                "retryAfterMillis|-1",
                "retryAfterMillis|9223372036856",
                "retryAfterMillis|9223372036854775807",
                "retryAfterMillis|-9223372036854775808",
                "retryAfterMillis|9223372036854775808",
                "retryAfterMillis|1200.5",
                "retryAfterMillis|'\"1200\"'",
                "retryAfterMillis|NaN",
                "retryAfterMillis|[]",
                "tokens|-1",
                "tokens|1000000000000000",
                "tokens|9223372036854775807",
                "tokens|5.0",
                "tokens|null",
                "tokens|'\"5\"'",
                "capacity|0",
                "capacity|-10",
                "capacity|9223372036854775807",
                "capacity|10.0",
                "capacity|null",
                "period|1",
                "period|'\"PT-1S\"'",
                "period|'\"PT0S\"'",
                "period|'\"PT1E9S\"'",
                "period|'\"PT99999999999999999999S\"'",
                "period|'\"P999999999D\"'",
                "period|'\"NaN\"'",
                "period|null",
                "remaining|-1",
                "remaining|9223372036854775807",
                "remaining|0.5",
                "remaining|null",
                "remaining|'\"0\"'",
                "nextTokenMillis|-1",
                "nextTokenMillis|9223372036854775807",
                "nextTokenMillis|1.5",
                "nextTokenMillis|'\"200\"'",
                "rule|1.5",
                "rule|7",
                "rule|null",
                "policy|1.5",
                "allowed|0",
                "allowed|'\"false\"'",
                "reason|3",
                "limits|{}",
            })
    void aValueThatNoDaemonSendsMakesItNoDecision(String field, String value) {
        assertThatThrownBy(() -> read(with(field, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no decision");
    }

    @ParameterizedTest
    @CsvSource({"-1", "9223372036856", "1.5", "NaN"})
    void aWaitOfALimitThatNoDaemonSendsMakesItNoDecision(String millis) {
        assertThatThrownBy(() -> read(REFUSED.replace("1300", millis))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theMessageNamesFieldValueAndRange() {
        assertThatThrownBy(() -> read(with("status", "4294967725")))
                .hasMessageContaining("'status' is 4294967725, and not between 400 and 599");
    }

    @ParameterizedTest
    @CsvSource({"status,null", "retryAfterMillis,null", "deciding,null", "nextTokenMillis,null"})
    void whatMayBeMissingMayBeNull(String field, String value) {
        assertThat(read(with(field, value)).allowed()).isFalse();
    }

    @Test
    void theLongestWaitIsStillATimeInNanoseconds() {
        DaemonDecision decision = read(REFUSED.replaceAll("1[23]00", "9223372036855"));

        assertThat(decision.retryAfter().map(Duration::toNanos)).contains(Long.MAX_VALUE);
        assertThat(decision.limits())
                .extracting(LimitStatus::retryAfter)
                .allSatisfy(wait -> assertThat(wait.map(Duration::toNanos)).contains(Long.MAX_VALUE));
    }

    @Test
    void anAnswerThatIsNestedTooDeeplyIsNoDecision() {
        assertThatThrownBy(() -> read("{\"allowed\":" + "[".repeat(100_000)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no decision");
    }
}
