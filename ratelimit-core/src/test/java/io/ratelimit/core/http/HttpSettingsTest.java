package io.ratelimit.core.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpSettingsTest {

    @Test
    void bothFamiliesAreSentUnlessSaidOtherwise() {
        assertThat(HttpSettings.parse(Map.of("rules", "classpath:x.yaml"))).isEqualTo(HttpSettings.DEFAULT);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ietf | true | false",
                "x-ratelimit | false | true",
                "x-ratelimit , ietf | true | true",
                "none | false | false"
            })
    void theFamiliesAreAList(String headers, boolean ietf, boolean xRateLimit) {
        assertThat(HttpSettings.parse(Map.of("headers", headers)))
                .isEqualTo(new HttpSettings(ietf, xRateLimit, ResetFormat.EPOCH_SECONDS));
    }

    @Test
    void theResetFormatIsAWord() {
        assertThat(HttpSettings.parse(Map.of("resetFormat", "epoch-millis")).resetFormat())
                .isEqualTo(ResetFormat.EPOCH_MILLIS);
        assertThat(HttpSettings.parse(Map.of("resetFormat", "delta-seconds")).resetFormat())
                .isEqualTo(ResetFormat.DELTA_SECONDS);
    }

    @Test
    void theResponderIsAWord() {
        assertThat(HttpSettings.parse(Map.of("responder", "envelope")).responder())
                .isEqualTo(AnswerForm.ENVELOPE);
        assertThatThrownBy(() -> HttpSettings.parse(Map.of("responder", "xml")))
                .hasMessage("setting responder is 'xml': it must be one of problem, envelope");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ietf,", "none,ietf", "IETF", "draft"})
    void anInvalidListNamesSettingValueAndChoices(String headers) {
        assertThatThrownBy(() -> HttpSettings.parse(Map.of("headers", headers)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("setting headers is '" + headers + "'")
                .hasMessageContaining("'ietf' and 'x-ratelimit'");
    }

    @Test
    void anInvalidResetFormatNamesSettingValueAndChoices() {
        assertThatThrownBy(() -> HttpSettings.parse(Map.of("resetFormat", "iso")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("setting resetFormat is 'iso': it must be one of epoch-seconds, epoch-millis,"
                        + " delta-seconds");
    }
}
