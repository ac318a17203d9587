package io.ratelimit.core.broadcast;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.ClientIdentifier;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RecentNamesTest {

    private final RecentNames names = new RecentNames(10);

    private static ClientIdentifier client(int number) {
        return ClientIdentifier.of("user", "client-" + number);
    }

    private void comes(int number) {
        if (names.find("orders", client(number)) == null) {
            names.remember("orders", client(number), NamedClient.of(new UUID(0, number)));
        }
    }

    private boolean isKnown(int number) {
        return names.find("orders", client(number)) != null;
    }

    @Test
    void aNameIsThatOfOneServiceAlone() {
        comes(1);
        assertThat(names.find("orders", client(1))).isEqualTo(NamedClient.of(new UUID(0, 1)));
        assertThat(names.find("payments", client(1))).isNull();
        assertThat(isKnown(2)).isFalse();
    }

    @Test
    void whoGoesOnComingIsRememberedHoweverManyComeOnce() {
        for (int i = 0; i < 1_000; i++) {
            comes(-1);
            assertThat(isKnown(-1)).isTrue();
            comes(i);
        }
        assertThat(IntStream.range(0, 1_000).filter(this::isKnown).count()).isBetween(4L, 10L);
    }

    @Test
    void halfOfThemAreRememberedForSure() {
        IntStream.range(0, 7).forEach(this::comes);
        assertThat(IntStream.range(2, 7)).allMatch(this::isKnown);
    }
}
