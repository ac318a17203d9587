package io.ratelimit.core.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationGrammarTest {

    private final DurationGrammar grammar = new DurationGrammar();

    @ParameterizedTest
    @CsvSource({
        "20ms, PT0.02S",
        "1 millisecond, PT0.001S",
        "7 milliseconds, PT0.007S",
        "1s, PT1S",
        "1 second, PT1S",
        "30 seconds, PT30S",
        "15m, PT15M",
        "1minute, PT1M",
        "15 minutes, PT15M",
        "15min, PT15M",
        "2 mins, PT2M",
        "30sec, PT30S",
        "30 secs, PT30S",
        "1 hr, PT1H",
        "2hrs, PT2H",
        "2h, PT2H",
        "1 hour, PT1H",
        "36 hours, PT36H",
        "1d, PT24H",
        "1 day, PT24H",
        "3 days, PT72H",
        "1w, PT168H",
        "2 weeks, PT336H",
        "1mo, PT720H",
        "1 month, PT720H",
        "3 months, PT2160H",
        "1y, PT8760H",
        "1 year, PT8760H",
        "100 years, PT876000H",
        "' 5s ', PT5S",
        "0s, PT0S",
        "007s, PT7S"
    })
    void aWholeNumberAndAUnitAreADuration(String text, Duration duration) {
        assertThat(grammar.parse(text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @CsvSource({
        "PT15M, PT15M",
        "PT1H30M, PT1H30M",
        "PT90S, PT90S",
        "PT0.5S, PT0.5S",
        "PT1.000000001S, PT1.000000001S",
        "P1D, PT24H",
        "P1DT12H, PT36H",
        "P2W, PT336H",
        "P1M, PT720H",
        "P1Y, PT8760H",
        "P1Y2M3W4DT5H6M7S, PT10805H6M7S"
    })
    void isoDurationsKnowAMonthOfThirtyDaysAndAYearOf365(String text, Duration duration) {
        assertThat(grammar.parse(text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "15|'15' has no unit; write for example 15ms, 15s or 15m",
                "1.5h|has a fraction; write a whole number of a smaller unit",
                "-5m|is negative",
                "5 minuets|has an unknown unit; did you mean 'minutes'?; units are ms, s, m, h, d, w, mo, y",
                "5M|has an unknown unit; did you mean 'm'?",
                "1h30m|is no duration; write a whole number and a unit, such as 20ms, 15m, 1d or PT15M",
                "m|is no duration",
                "soon|is no duration",
                "``|is no duration",
                "P|is no ISO 8601 duration; write for example PT15M, P1D or 15m",
                "PT|is no ISO 8601 duration",
                "P1DT|is no ISO 8601 duration",
                "PT-5M|is no ISO 8601 duration",
                "PT0.5M|is no ISO 8601 duration",
                "pt15m|is no duration",
                "101y|is too long; a duration has at most 36500 days",
                "99999999999999999999s|is too long",
                "9223372036854775807y|is too long",
                "P99999999999999999999D|is too long"
            })
    void whatIsNoDurationIsRefusedWithWhatWouldBeRight(String text, String fragment) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> grammar.parse(text))
                .withMessageContaining(fragment);
    }

    @Test
    void aLongOrUnprintableTextIsShownShortAndEscaped() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> grammar.parse("x\n" + "y".repeat(10_000)))
                .satisfies(
                        e -> assertThat(e.getMessage()).contains("x\\u000ayyy").hasSizeLessThan(250));
    }
}
