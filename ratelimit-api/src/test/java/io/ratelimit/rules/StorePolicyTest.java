package io.ratelimit.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

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
}
