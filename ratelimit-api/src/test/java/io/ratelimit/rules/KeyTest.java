package io.ratelimit.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeyTest {

    private static final Identity USER = Identity.of(Identity.Kind.USER);

    @Test
    void aKeyWithoutIdentitiesIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Key.Composite(List.of()));
        assertThatIllegalArgumentException().isThrownBy(() -> new Key.FirstPresent(List.of()));
    }

    @Test
    void aKeyCannotBeChangedAfterwards() {
        List<Identity> identities = new ArrayList<>(List.of(USER));
        Key.Composite composite = new Key.Composite(identities);
        Key.FirstPresent firstPresent = new Key.FirstPresent(identities);
        identities.clear();
        assertThat(composite.parts()).containsExactly(USER);
        assertThat(firstPresent.alternatives()).containsExactly(USER);
    }

    @Test
    void allOfOneIsNotTheSameKeyAsAnyOfOne() {
        assertThat((Key) new Key.Composite(List.of(USER))).isNotEqualTo(new Key.FirstPresent(List.of(USER)));
        assertThat(new Key.Client()).isEqualTo(new Key.Client());
    }
}
