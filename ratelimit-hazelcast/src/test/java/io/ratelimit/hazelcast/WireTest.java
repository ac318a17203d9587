package io.ratelimit.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.hazelcast.internal.serialization.impl.HeapData;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.bucket.CompiledSpec;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The bytes that members of adjacent versions exchange: a change here needs another version of the form. */
class WireTest {

    private final InternalSerializationService serialization = new DefaultSerializationServiceBuilder().build();
    private final NamedSpec everyone = new NamedSpec(
            "everyone",
            CompiledSpec.of(new BucketSpec(
                    "orders", "everyone", 3, List.of(Limit.of(20, Duration.ofSeconds(1))), StorePolicy.UNSET)));

    private static final String SPEC = "00000008" + "65766572796f6e65" // name
            + "0000000000000003" // version
            + "00000001" // limits
            + "0000000000000001" // units per tick
            + "0000000002faf080" // units per token
            + "0000000000000001" // nanoseconds per tick
            + "0000000000000014" // capacity
            + "000000003b9aca00"; // period

    @Test
    void aChargeIsSentInItsFirstForm() {
        assertThat(payload(new SpendProcessor(List.of(new SpendProcessor.Item(everyone, 7)))))
                .isEqualTo("01" + "00000001" + SPEC + "0000000000000007");
    }

    @Test
    void aRefundIsSentInItsFirstForm() {
        MadeCharge charge = new MadeCharge(everyone, new long[] {5}, 9, 11);
        assertThat(payload(new RefundProcessor(List.of(new RefundProcessor.Item(charge, 13, 2)))))
                .isEqualTo("01" + "00000001" + SPEC + "0000000000000005" + "0000000000000009" + "000000000000000b"
                        + "000000000000000d" + "0000000000000002");
    }

    @Test
    void bucketsTravelAsDistancesFromFull() {
        ManualTimeSource clock = new ManualTimeSource(-3);
        MemberContext member = new MemberContext(clock);
        ClientBuckets buckets =
                ClientBuckets.of(member, 0, List.of(BucketSlot.ofUsed(everyone, new long[] {1_000}, 0)));
        clock.advanceNanos(400);
        String sixHundred = "01" + "00000001" + SPEC + "0000000000000258";
        assertThat(payload(buckets)).isEqualTo(sixHundred);
        assertThat(payload(new StoreOnBackup(buckets))).isEqualTo("01" + sixHundred);
    }

    @Test
    void bucketsAreAnchoredOnTheReceiversClock() {
        ClientBuckets sent = ClientBuckets.of(
                new MemberContext(new ManualTimeSource(5)),
                0,
                List.of(BucketSlot.ofUsed(everyone, new long[] {1_000}, 0)));
        ManualTimeSource clock = new ManualTimeSource(Long.MAX_VALUE);
        MemberContext receiver = new MemberContext(clock);
        clock.advance(Duration.ofDays(3));

        ClientBuckets received = serialization.toObject(serialization.toData(sent));
        received.arriveAt(receiver);
        assertThat(received.slots(receiver.nanos()).get(0).used(receiver.nanos()))
                .containsExactly(1_000);
        clock.advanceNanos(300);
        assertThat(received.slots(receiver.nanos()).get(0).used(receiver.nanos()))
                .containsExactly(700);
    }

    @Test
    void anAnswerIsSentInItsFirstForm() {
        BucketSlot slot = BucketSlot.ofUsed(everyone, new long[] {50_000_000}, 0);
        BucketAnswer answer = new BucketAnswer(true, 9, 11, List.of(BucketAnswer.Item.of(slot, 0, 0, everyone)));
        assertThat(payload(answer))
                .isEqualTo("01" + "01" + "0000000000000009" + "000000000000000b" + "00000001" // one charge
                        + "00000001" + "0000000000000013" + "0000000000000000" + "0000000002faf080" // its limit
                        + "00000001" + "0000000002faf080" // what is missing
                        + "00");
    }

    @Test
    void anotherFormIsRefusedWithAWordAboutVersions() {
        byte[] bytes = serialization.toData(new SpendProcessor(List.of())).toByteArray();
        bytes[bytes.length - 5] = 2;
        assertThatThrownBy(() -> serialization.toObject(new HeapData(bytes)))
                .isInstanceOf(HazelcastSerializationException.class)
                .hasStackTraceContaining("all members need the same version of ratelimit-hazelcast");
    }

    /** What follows Hazelcast's own header, which ends with our factory and type. */
    private String payload(Object message) {
        String all = HexFormat.of().formatHex(serialization.toData(message).toByteArray());
        String factory = HexFormat.of().toHexDigits(BucketSerializerHook.FACTORY_ID);
        return all.substring(all.indexOf(factory) + 16);
    }
}
