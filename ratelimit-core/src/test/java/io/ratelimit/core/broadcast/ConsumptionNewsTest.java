package io.ratelimit.core.broadcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ratelimit.core.wire.SpecForm;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import java.io.IOException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The bytes that hosts of adjacent versions tell one another: a change here needs another version of the form. */
class ConsumptionNewsTest {

    private static final String WITHOUT_ADDITIONS = "01" // form
            + "0000000000000007" // origin
            + "01" // clients
            + "00" + "0e" + "08" + "65766572796f6e65" + "06" + "01" + "00" + "14" + "01" // everyone, 20 in 1 second
            + "00000000000000050000000000000006" // key
            + "02" + "ac02" + "0b" + "03" + "64" // epoch, its age, tokens, those that came back, their age
            + "00"; // states

    private static final ConsumptionNews.Item ITEM = new ConsumptionNews.Item(
            SpecForm.of(new BucketSpec(
                    "orders", "everyone", 3, List.of(Limit.of(20, Duration.ofSeconds(1))), StorePolicy.UNSET)),
            new UUID(5, 6),
            2,
            300,
            new Tally(11, 3),
            100,
            new long[0][]);

    private static byte[] message(Postmark mark) {
        ConsumptionNewsWriter writer = new ConsumptionNewsWriter(7, 500);
        assertThat(writer.add(ITEM)).isTrue();
        return writer.toBytes(mark);
    }

    @Test
    void newsAreSentInTheirForm() {
        assertThat(HexFormat.of().formatHex(message(new Postmark(300, 9, 5))))
                .isEqualTo(WITHOUT_ADDITIONS + "01" + "01" + "0b" + "ac02" + "0000000000000009" + "05");
    }

    @Test
    void newsOfAHostThatDoesNotSayWhenItSentThemAreRead() throws IOException {
        ConsumptionNews read = ConsumptionNews.of(HexFormat.of().parseHex(WITHOUT_ADDITIONS + "00"));
        assertThat(read.mark()).isNull();
        assertThat(read.items())
                .singleElement()
                .extracting(ConsumptionNews.Item::tally, ConsumptionNews.Item::ageNanos)
                .containsExactly(new Tally(11, 3), 100L);
    }

    @Test
    void whatIsAddedLaterIsPassedOver() throws IOException {
        ConsumptionNews read = ConsumptionNews.of(HexFormat.of()
                .parseHex(WITHOUT_ADDITIONS + "02" + "63" + "02" + "ffff" + "01" + "0b" + "ac02" + "0000000000000009"
                        + "05"));
        assertThat(read.mark()).isEqualTo(new Postmark(300, 9, 5));
    }

    @Test
    void aMessageIsNoLongerThanItMayBeUnlessItHasOneItem() {
        ConsumptionNewsWriter writer = new ConsumptionNewsWriter(7, 1_250);
        while (writer.add(ITEM)) {
            continue;
        }
        assertThat(writer.toBytes(new Postmark(1L << 60, -1, 1L << 60)).length).isBetween(1_100, 1_250);
        assertThat(new ConsumptionNewsWriter(7, 10).add(ITEM)).isTrue();
    }

    @Test
    void newsInAnotherFormAreRefused() {
        assertThatThrownBy(() -> ConsumptionNews.of(new byte[] {2}))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("same version");
    }
}
