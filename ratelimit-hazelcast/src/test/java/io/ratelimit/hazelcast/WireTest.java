package io.ratelimit.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.hazelcast.internal.serialization.impl.HeapData;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.algorithm.LimitAlgorithm;
import io.ratelimit.core.algorithm.Moment;
import io.ratelimit.core.bucket.CompiledSpec;
import io.ratelimit.core.bucket.Spending;
import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Alignment;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOptions;
import io.ratelimit.rules.Penalty;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.Charge;
import java.time.Duration;
import java.time.ZoneId;
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
            + "0000000c" + "746f6b656e2d6275636b6574" // algorithm
            + "0000000000000014" // tokens
            + "000000003b9aca00" // period
            + "0000000000000014" // capacity
            + "01"; // no options

    private static final Moment START = Moment.ofNanos(0);

    @Test
    void aChargeIsSentInItsForm() {
        SpendProcessor.Item item = new SpendProcessor.Item(everyone, 7, Charge.Kind.BINDING, 5);
        assertThat(payload(new SpendProcessor(List.of(item))))
                .isEqualTo("02" + "00000001" + SPEC + "0000000000000007" + "00000007" + "42494e44494e47"
                        + "0000000000000005");
    }

    @Test
    void aRefundIsSentInItsForm() {
        MadeCharge charge = new MadeCharge(everyone, new long[][] {{5}}, 9, 11);
        assertThat(payload(new RefundProcessor(List.of(new RefundProcessor.Item(charge, 13, 2, true)))))
                .isEqualTo("02" + "00000001" + SPEC + "00000001" + "00000001" + "0000000000000005" + "0000000000000009"
                        + "000000000000000b" + "000000000000000d" + "0000000000000002" + "01");
    }

    @Test
    void bucketsTravelAsDistancesFromFull() {
        ManualTimeSource clock = new ManualTimeSource(-3);
        MemberContext member = new MemberContext(clock);
        ClientBuckets buckets = ClientBuckets.of(member, START, List.of(missing(1_000)));
        clock.advanceNanos(400);
        String sixHundred = "02" + "00000001" + SPEC + "00000001" + "00000001" + "0000000000000258";
        assertThat(payload(buckets)).isEqualTo(sixHundred);
        assertThat(payload(new StoreOnBackup(buckets))).isEqualTo("02" + sixHundred);
    }

    @Test
    void bucketsAreAnchoredOnTheReceiversClock() {
        ClientBuckets sent =
                ClientBuckets.of(new MemberContext(new ManualTimeSource(5)), START, List.of(missing(1_000)));
        ManualTimeSource clock = new ManualTimeSource(Long.MAX_VALUE);
        MemberContext receiver = new MemberContext(clock);
        clock.advance(Duration.ofDays(3));

        ClientBuckets received = serialization.toObject(serialization.toData(sent));
        received.arriveAt(receiver);
        assertThat(missing(received, receiver)).isEqualTo(1_000);
        clock.advanceNanos(300);
        assertThat(missing(received, receiver)).isEqualTo(700);
    }

    @Test
    void everyOptionOfALimitTravels() {
        Limit limit = new Limit(20, Duration.ofDays(1), 20, Algorithm.FIXED_WINDOW)
                .with(LimitOptions.NONE
                        .withAlignment(new Alignment.Clock(ZoneId.of("Europe/Berlin")))
                        .withMinInterval(Duration.ofMillis(5))
                        .withChargeRefused(true)
                        .withPenalty(new Penalty(3, Duration.ofMinutes(10))));
        NamedSpec sent = new NamedSpec("everyone", CompiledSpec.of(1, List.of(limit), LimitAlgorithm::of));
        SpendProcessor.Item item = new SpendProcessor.Item(sent, 1, Charge.Kind.LATE, 0);
        String bytes = payload(new SpendProcessor(List.of(item)));
        SpendProcessor received = serialization.toObject(serialization.toData(new SpendProcessor(List.of(item))));
        assertThat(payload(received)).isEqualTo(bytes);
    }

    @Test
    void anAnswerIsSentInItsForm() {
        BucketSlot slot = missing(0);
        Spending spending = Spending.of(everyone.spec(), slot.states(), START, Charge.Kind.BINDING, 1, 0, true);
        BucketSlot after = slot.with(spending.states());
        BucketAnswer answer =
                new BucketAnswer(true, 9, 11, List.of(BucketAnswer.Item.of(after, START, spending, everyone)));
        assertThat(payload(answer))
                .isEqualTo("02" + "01" + "0000000000000009" + "000000000000000b" + "00000001" // one charge
                        + "00000001" + "0000000000000013" + "0000000000000000" + "0000000002faf080" // its limit
                        + "00000001" + "00000001" + "0000000002faf080" // what is missing
                        + "00");
    }

    private BucketSlot missing(long units) {
        return BucketSlot.arrived(everyone, new long[][] {{units}}, START);
    }

    private static long missing(ClientBuckets buckets, MemberContext member) {
        return buckets.slots(member.now()).get(0).departing(member.now())[0][0];
    }

    @Test
    void anotherFormIsRefusedWithAWordAboutVersions() {
        byte[] bytes = serialization.toData(new SpendProcessor(List.of())).toByteArray();
        bytes[bytes.length - 5] = 1;
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
