package io.ratelimit.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StorePolicyTest {

    @Test
    void whatIsSetStaysAndWhatIsUnsetIsFilled() {
        StorePolicy rule = new StorePolicy(Sharing.HOST, null, null);
        StorePolicy set = new StorePolicy(Sharing.EXACT, OnFailure.CLOSED, null);
        assertThat(rule.orElse(set).orElse(StorePolicy.BUILT_IN))
                .isEqualTo(new StorePolicy(Sharing.HOST, OnFailure.CLOSED, Duration.ofMillis(20)));
    }

    @Test
    void nothingUnsetIsLeftAtTheEndOfTheLine() {
        assertThat(StorePolicy.UNSET.orElse(StorePolicy.BUILT_IN)).isEqualTo(StorePolicy.BUILT_IN);
        assertThat(StorePolicy.BUILT_IN).hasNoNullFieldsOrProperties();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-0.02S"})
    void aTimeoutThatLeavesNoTimeIsRefused(String timeout) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StorePolicy(null, null, Duration.parse(timeout)))
                .withMessageContaining("storeTimeout")
                .withMessageContaining(timeout);
    }
}
