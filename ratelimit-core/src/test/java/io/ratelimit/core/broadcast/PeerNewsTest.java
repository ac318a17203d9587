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
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The form of messages to one host, which hosts of different versions must agree on. */
class PeerNewsTest {

    private static final UUID FROM = new UUID(5, 6);
    private static final PeerNews.Sender SENDER = new PeerNews.Sender(7, new Postmark(300, 9, 5));
    private static final SpecForm BUCKET = SpecForm.of(
            new BucketSpec("orders", "everyone", 3, List.of(Limit.of(20, Duration.ofSeconds(1))), StorePolicy.UNSET));

    private static PeerNews.Entry entry(PeerNews.Sender sender, long key) {
        return new PeerNews.Entry(
                sender,
                new ConsumptionNews.Item(
                        BUCKET, new UUID(0, key), 2, 300, new Tally(11, 3), 100, new long[][] {{1, -1}}));
    }

    private static byte[] message(PeerNews.Kind kind, PeerNews.Entry... entries) {
        PeerNewsWriter writer = new PeerNewsWriter(FROM, kind, 1_400);
        for (PeerNews.Entry entry : entries) {
            assertThat(writer.add(entry)).isTrue();
        }
        return writer.toBytes();
    }

    @Test
    void sendersAndBucketsAreWrittenOnce() {
        assertThat(HexFormat.of().formatHex(message(PeerNews.Kind.ASKING, entry(SENDER, 1), entry(SENDER, 2))))
                .isEqualTo(
                        "02" // form
                                + "00000000000000050000000000000006" // from
                                + "02" // kind
                                + "02" // entries
                                + "00" + "0000000000000007" + "ac02" + "0000000000000009" + "05" // sender
                                + "00" + "0e" + "08" + "65766572796f6e65" + "06" + "01" + "00" + "14" + "01" // bucket
                                + "0000000000000000" + "0000000000000001" // key
                                + "02" + "ac02" + "0b" + "03"
                                + "64" // epoch, its age, tokens, those that came back, their age
                                + "01" + "02" + "02" + "01" // states
                                + "01" + "01" + "0000000000000000" + "0000000000000002" + "02" + "ac02" + "0b" + "03"
                                + "64"
                                + "01" + "02" + "02" + "01"
                                + "00"); // additions
    }

    @Test
    void whatIsWrittenIsRead() throws IOException {
        PeerNews.Sender other = new PeerNews.Sender(8, new Postmark(1, -1, 0));
        PeerNews read =
                PeerNews.of(message(PeerNews.Kind.COMPARING, entry(SENDER, 1), entry(other, 2), entry(SENDER, 3)));
        assertThat(read.from()).isEqualTo(FROM);
        assertThat(read.kind()).isEqualTo(PeerNews.Kind.COMPARING);
        assertThat(read.entries()).extracting(PeerNews.Entry::sender).containsExactly(SENDER, other, SENDER);
        assertThat(read.entries())
                .extracting(entry -> entry.item().key().getLeastSignificantBits())
                .containsExactly(1L, 2L, 3L);
        assertThat(read.entries().get(2).item().bucket()).isEqualTo(BUCKET);
        assertThat(read.entries().get(2).item().states()).isEqualTo(new long[][] {{1, -1}});
    }

    @Test
    void whatASenderKnowsIsWrittenBehindTheSums() throws IOException {
        PeerNewsWriter writer = new PeerNewsWriter(FROM, PeerNews.Kind.COMPARING, 1_400);
        writer.says(new KnownSums(3, 2, Set.of(-2)));
        byte[] message = writer.toBytes();
        assertThat(HexFormat.of().formatHex(message, 17, message.length))
                .isEqualTo(
                        "03" // kind
                                + "00" // entries
                                + "01" + "01" + "06" + "03" + "02" + "fffffffe"); // additions: what is known
        assertThat(PeerNews.of(message).known()).isEqualTo(new KnownSums(3, 2, Set.of(-2)));
    }

    @Test
    void knownSumsThatAreDamagedAreRefused() {
        assertThatThrownBy(() -> KnownSums.of(new byte[] {2, 2}))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("part 2 of 2");
        assertThatThrownBy(() -> KnownSums.of(new byte[] {0, 0})).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> KnownSums.of(new byte[] {1, 0, 7})).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> KnownSums.of(new byte[] {})).isInstanceOf(IOException.class);
    }

    @Test
    void aMessageIsNoLongerThanANetworkCarriesInOnePiece() {
        PeerNewsWriter writer = new PeerNewsWriter(FROM, PeerNews.Kind.RUMOURS, 1_400);
        int count = 0;
        while (writer.add(entry(new PeerNews.Sender(count, new Postmark(1L << 60, -1, 1L << 60)), count))) {
            count++;
        }
        assertThat(writer.toBytes().length).isBetween(1_250, 1_400);
        assertThat(count).isGreaterThan(15);
    }

    @Test
    void aSumThatIsLongerIsToldAlone() throws IOException {
        assertThat(toldAlone(new long[3_000])).isEqualTo(3_000);
        // One of a bucket that has more to say than a network takes.
        assertThat(toldAlone(new long[4_000])).isZero();
    }

    private static int toldAlone(long... state) throws IOException {
        PeerNewsWriter writer = new PeerNewsWriter(FROM, PeerNews.Kind.RELAYED, 1_250);
        ConsumptionNews.Item item =
                new ConsumptionNews.Item(BUCKET, new UUID(0, 1), 2, 300, Tally.ofSpent(11), 100, new long[][] {state});
        assertThat(writer.add(new PeerNews.Entry(SENDER, item))).isTrue();
        assertThat(writer.add(new PeerNews.Entry(SENDER, item))).isFalse();
        long[][] told = PeerNews.of(writer.toBytes()).entries().get(0).item().states();
        return told.length == 0 ? 0 : told[0].length;
    }

    @Test
    void anotherFormAndAnotherKindAreRefused() {
        assertThatThrownBy(() -> PeerNews.of(new byte[] {3}))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("same version");
        byte[] message = message(PeerNews.Kind.RUMOURS);
        message[17] = 9;
        assertThatThrownBy(() -> PeerNews.of(message))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("kind");
    }
}
