package io.ratelimit.core.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.ratelimit.rules.Limit;
import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LimitGrammarTest {

    private final LimitGrammar grammar = new LimitGrammar();

    @ParameterizedTest
    @CsvSource({
        "20/s, 20, PT1S, 20",
        "20/second, 20, PT1S, 20",
        "20/seconds, 20, PT1S, 20",
        "20 / minute, 20, PT1M, 20",
        "3/ms, 3, PT0.001S, 3",
        "500/h, 500, PT1H, 500",
        "7/d, 7, PT24H, 7",
        "7/w, 7, PT168H, 7",
        "7/mo, 7, PT720H, 7",
        "7/year, 7, PT8760H, 7",
        "20/s burst 40, 20, PT1S, 40",
        "5 per 15m, 5, PT15M, 5",
        "5 per 15 minutes, 5, PT15M, 5",
        "20/min, 20, PT1M, 20",
        "20 per hr, 20, PT1H, 20",
        "5 per 15 minutes burst 9, 5, PT15M, 9",
        "5 per 15m burst 10, 5, PT15M, 10",
        "5 per minute, 5, PT1M, 5",
        "1 per day, 1, PT24H, 1",
        "1 per day burst 2, 1, PT24H, 2",
        "5 per PT15M, 5, PT15M, 5",
        "5 per P1D burst 6, 5, PT24H, 6",
        "'  20/s   burst  40 ', 20, PT1S, 40",
        "500/h burst 1000, 500, PT1H, 1000",
        "5 per month, 5, PT720H, 5",
        "5 per 2 months, 5, PT1440H, 5",
        "5 per year, 5, PT8760H, 5",
        "5 per P1M, 5, PT720H, 5",
        "5 per P1Y, 5, PT8760H, 5",
        "100000000000000/h, 100000000000000, PT1H, 100000000000000"
    })
    void aRateAndAnOptionalBurstAreALimit(String text, long tokens, Duration period, long capacity) {
        assertThat(grammar.parse(text)).isEqualTo(Limit.of(tokens, period).withBurst(capacity));
    }

    @ParameterizedTest
    @CsvSource({"60/m burst 10, 10", "60/m burst 1, 1"})
    void aBurstMayBeLessThanTheTokensOfAPeriod(String text, long capacity) {
        assertThat(grammar.parse(text))
                .isEqualTo(Limit.of(60, Duration.ofMinutes(1)).withBurst(capacity));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", " 0 ", "0/s", "0/m", "0 per 15m"})
    void zeroRefusesAlways(String text) {
        assertThat(grammar.parse(text)).isEqualTo(Limit.BLOCKED);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "60|'60' has no period; write for example 60/s, 60/m or 60 per 15m",
                "0.5|is no whole number in plain digits and has no period",
                "0.5/s|the number of tokens is a whole number in plain digits, such as 20, not '0.5'; a slower rate has a longer period",
                "1e3|is no whole number in plain digits and has no period",
                "1e3/s|is a whole number in plain digits, such as 20, not '1e3'",
                "-5|is negative; write for example 20/s",
                "-5/s|is a whole number in plain digits, such as 20, not '-5'",
                "+5/s|not '+5'",
                "0x10/s|not '0x10'",
                "10,000/m|is written without separators: 10000",
                "10_000/m|is written without separators: 10000",
                "20/|is no limit; write for example 20/s",
                "/s|is no limit",
                "``|is no limit",
                "20 s|is no limit",
                "20/s 40|is no limit",
                "20/s burst|is no limit",
                "20/s/m|is no limit",
                "null|is no limit",
                "5/15m|behind '/' stands a unit alone; write 'per 15m'",
                "5/PT15M|write 'per PT15M'",
                "5/minuet|the unit 'minuet' is unknown; did you mean 'minute'?; units are ms, s, m, h, d, w, mo, y",
                "5/S|the unit 'S' is unknown; did you mean 's'?",
                "5 per 15|'15' has no unit",
                "5 per 0s|a period is longer than 0, such as 1s; '0s' is not",
                "5 per PT0S|a period is longer than 0",
                "5 per -1m|'-1m' is negative",
                "5 per -1|'-1' is negative",
                "5 per 1.5h|has a fraction",
                "5 per 200y|is too long",
                "20/s burst 0|the burst must be between 1 and 999999999999999, not 0",
                "20/s burst -1|the burst is a whole number in plain digits",
                "20/s burst 1.5|the burst is a whole number in plain digits",
                "0/s burst 5|a limit of 0 refuses always and takes no burst",
                "1000000000000000/s|tokens must be between 0 and 999999999999999",
                "99999999999999999999999/s|the number of tokens is at most 999999999999999",
                "9223372036854775807 per 1d|tokens must be between 0 and 999999999999999",
                "1/s burst 1000000000000000|the burst must be between 1 and 999999999999999",
                "999999999999999/y|is beyond exact arithmetic",
                "1/y burst 101|the limit takes more than 36500 days to fill",
                "unlimited|stands alone",
                "٣/s|is a whole number in plain digits"
            })
    void whatIsNoLimitIsRefusedWithWhatWouldBeRight(String text, String fragment) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> grammar.parse(text))
                .withMessageContaining("'" + text.strip() + "'")
                .withMessageContaining(fragment);
    }

    @Property(tries = 500)
    void aLimitIsReadBackFromWhatItPrints(
            @ForAll @LongRange(min = 1, max = 1_000_000) long tokens,
            @ForAll @LongRange(min = 1, max = 86_400_000) long millis,
            @ForAll @LongRange(min = 1, max = 10_000) long capacity) {
        Limit limit = Limit.of(tokens, Duration.ofMillis(millis)).withBurst(capacity);

        assertThat(grammar.parse(limit.toString())).isEqualTo(limit);
    }

    @Property(tries = 1_000)
    void anyTextIsALimitOrAnIllegalArgument(@ForAll String text) {
        try {
            grammar.parse(text);
        } catch (IllegalArgumentException expected) {
            assertThat(expected.getMessage()).hasSizeLessThan(1_000);
        }
    }
}
