package io.ratelimit.core.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ratelimit.rules.OnFailure;
import io.ratelimit.rules.Sharing;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StorePolicyGrammarTest {

    private final StorePolicyGrammar grammar = new StorePolicyGrammar();

    @Test
    void readsWordsAndDurations() {
        assertThat(grammar.sharing("host")).isEqualTo(Sharing.HOST);
        assertThat(grammar.onFailure("closed")).isEqualTo(OnFailure.CLOSED);
        assertThat(grammar.timeout("1ms")).isEqualTo(Duration.ofMillis(1));
        assertThat(grammar.timeout("10s")).isEqualTo(Duration.ofSeconds(10));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0ms", "PT10.001S", "1h"})
    void aTimeoutOutOfRangeIsRefused(String text) {
        assertThatThrownBy(() -> grammar.timeout(text)).hasMessageContaining("between 1ms and 10s");
    }

    @Test
    void anotherWordIsAnsweredWithThoseThatThereAre() {
        assertThatThrownBy(() -> grammar.sharing("EXACT"))
                .hasMessage("it must be one of exact, leased, eventual, host");
        assertThatThrownBy(() -> grammar.onFailure("")).hasMessage("it must be one of local, open, closed");
    }
}
