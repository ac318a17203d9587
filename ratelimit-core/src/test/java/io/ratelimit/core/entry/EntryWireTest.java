package io.ratelimit.core.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.primitives.Bytes;
import io.ratelimit.core.algorithm.LimitAlgorithm;
import io.ratelimit.core.algorithm.Moment;
import io.ratelimit.core.bucket.CompiledSpec;
import io.ratelimit.core.bucket.Spending;
import io.ratelimit.core.wire.Wire;
import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Alignment;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOptions;
import io.ratelimit.rules.Penalty;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.Charge;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The bytes that hosts of adjacent versions exchange: a change here needs another version of the form. */
class EntryWireTest {

    private final NamedSpec everyone = new NamedSpec(
            "everyone",
            CompiledSpec.of(new BucketSpec(
                    "orders", "everyone", 3, List.of(Limit.of(20, Duration.ofSeconds(1))), StorePolicy.UNSET)));

    private static final String SPEC = "0e" // bytes
            + "08" + "65766572796f6e65" // name
            + "06" // version 3
            + "01" // limits
            + "00" + "14" + "01"; // a token bucket, 20 in 1 second

    private static final String NEW_SPEC = "00" + SPEC;

    private static final String ID = "01" + "01" + "08" + "0000000000000007"; // one addition: the call's id

    private static final RecentCalls CALLS = RecentCalls.NONE.with(0x5_0000_0007L, BitSet.valueOf(new byte[] {1}));

    private static final Moment START = Moment.ofNanos(0);

    @Test
    void aChargeIsSentInItsForm() {
        assertThat(payload(call(new SpendStep(List.of(item(7, Charge.Kind.BINDING, 5))))))
                .isEqualTo(
                        "01" // steps
                                + "01" + "01" + NEW_SPEC + "07" + "00" + "05" // spends 7, binding, waiting 5
                                + ID);
    }

    @Test
    void aRefundIsSentInItsForm() {
        MadeCharge charge = new MadeCharge(everyone.form(), new long[][] {{5}}, new long[] {-1}, 9, 11);
        assertThat(payload(call(new RefundStep(List.of(new RefundStep.Item(charge, 13, 2, true))))))
                .isEqualTo(
                        "01" // steps
                                + "02" + "01" + NEW_SPEC + "01" + "01" + "0a" // what was missing: 5
                                + "01" + "01" // given back before: -1
                                + "0000000000000009" + "16" // clock and time
                                + "1a" + "02" + "01" // 13 ns ago, 2 tokens, undone
                                + ID);
    }

    @Test
    void limitsThatSeveralStepsNameTravelOnce() {
        SpendStep step = new SpendStep(List.of(item(1, Charge.Kind.LATE, 0)));
        assertThat(payload(call(step, new RewriteStep(), step)))
                .isEqualTo(
                        "03" // steps
                                + "01" + "01" + NEW_SPEC + "01" + "04" + "00"
                                + "03"
                                + "01" + "01" + "01" + "01" + "04" + "00"
                                + ID);
    }

    @Test
    void additionsOfALaterVersionArePassedOver() throws IOException {
        byte[] known = HexFormat.of().parseHex(payload(call(new RewriteStep())));
        byte[] additions = HexFormat.of().parseHex("02" + "77" + "01" + "ff" + "78" + "00");
        byte[] longer = Bytes.concat(Arrays.copyOf(known, known.length - ID.length() / 2), additions);
        EntryCall read = EntryCall.readFrom(new DataInputStream(new ByteArrayInputStream(longer)));
        assertThat(payload(read)).isEqualTo("01" + "03" + ID.replace('7', '0'));
    }

    @Test
    void entriesTravelAsDistancesFromFull() {
        ClientEntry entry = ClientEntry.of(START, List.of(missing(1_000)), CALLS);
        assertThat(Wire.toBytes(entry.depart(Moment.ofNanos(400))::writeTo))
                .isEqualTo(HexFormat.of()
                        .parseHex("01" + SPEC + "01" + "01" + "b009" // one word: 600
                                + "00" // nothing given back
                                + "01" + "01" + "0b" + "01" + "0000000500000007" + "01"
                                + "01")); // one addition: one call, its step allowed
    }

    @Test
    void entriesAreAnchoredOnTheReceiversClock() throws IOException {
        ClientEntry sent = ClientEntry.of(START, List.of(missing(1_000)), RecentCalls.NONE);
        byte[] bytes = Wire.toBytes(sent.depart(START)::writeTo);
        Moment arrival = Moment.ofNanos(3_000_000_000_000L);
        ClientEntry received = DepartedEntry.readFrom(new DataInputStream(new ByteArrayInputStream(bytes)))
                .arrive(new KnownSpecs(), arrival);
        assertThat(missing(received, arrival)).isEqualTo(1_000);
        assertThat(missing(received, arrival.minusNanos(-300))).isEqualTo(700);
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
        NamedSpec received = NamedSpec.of(sent.form(), LimitAlgorithm::of);
        assertThat(received.spec().limits()).containsExactly(limit);
        assertThat(received.form()).isEqualTo(sent.form());
    }

    @Test
    void everyAlgorithmAndEveryKindOfChargeTravels() throws IOException {
        for (Algorithm algorithm : Algorithm.values()) {
            if (algorithm.isShareable()) {
                Limit limit = new Limit(3, Duration.ofMillis(1_500), 3, algorithm);
                NamedSpec named = new NamedSpec("everyone", CompiledSpec.of(1, List.of(limit), LimitAlgorithm::of));
                assertThat(named.form().decode().limits()).containsExactly(limit);
            }
        }
        Limit burst = new Limit(3, Duration.ofDays(1), 7, Algorithm.TOKEN_BUCKET);
        NamedSpec sent = new NamedSpec("everyone", CompiledSpec.of(1, List.of(burst), LimitAlgorithm::of));
        assertThat(sent.form().decode().limits()).containsExactly(burst);
        for (Charge.Kind kind : Charge.Kind.values()) {
            assertThat(WireKind.ofCode(WireKind.codeOf(kind))).isEqualTo(kind);
        }
    }

    @Test
    void anyNumberTravels() throws IOException {
        for (long number : new long[] {0, 1, -1, 63, 64, -64, -65, 1L << 34, Long.MAX_VALUE, Long.MIN_VALUE}) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            Wire.writeSigned(new DataOutputStream(bytes), number);
            Wire.writeUnsigned(new DataOutputStream(bytes), number);
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
            assertThat(Wire.readSigned(in)).isEqualTo(number);
            assertThat(Wire.readUnsigned(in)).isEqualTo(number);
        }
    }

    @Test
    void aDamagedMessageIsNoReasonToTakeMuchMemory() {
        byte[] bytes = HexFormat.of().parseHex("03" + "ffffffff0f");
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        assertThatThrownBy(() -> {
                    in.readByte();
                    Wire.readBytes(in);
                })
                .isInstanceOf(IOException.class)
                .hasMessageContaining("damaged");
    }

    @Test
    void anAnswerIsSentInItsForm() {
        BucketSlot slot = missing(0);
        Spending spending = Spending.of(everyone.spec(), slot.states(), START, Charge.Kind.BINDING, 1, 0, true);
        BucketSlot after = slot.with(spending.states(), START);
        StepAnswer step = new StepAnswer(true, List.of(SlotAnswer.of(after, START, spending, everyone)));
        assertThat(HexFormat.of().formatHex(Wire.toBytes(new EntryAnswer(9, 11, List.of(step))::writeTo)))
                .isEqualTo("0000000000000009" + "16" // clock and time
                        + "01" + "01" + "01" // one step, allowed, with one charge
                        + "01" + "26" + "00" + "80c2d72f" // its limit: 19 remain, no wait, the next in 50 ms
                        + "01" + "01" + "80c2d72f" // what is missing
                        + "00" + "00" + "00");
    }

    private BucketSlot missing(long units) {
        return BucketSlot.arrived(everyone, new long[][] {{units}}, new long[0][], START);
    }

    private static long missing(ClientEntry entry, Moment now) {
        return entry.slots(now).get(0).departing(now)[0][0];
    }

    private SpendStep.Item item(long cost, Charge.Kind kind, long maxWaitNanos) {
        return new SpendStep.Item(everyone.form(), cost, kind, maxWaitNanos);
    }

    private static EntryCall call(Step... steps) {
        return new EntryCall(7, List.of(steps));
    }

    private static String payload(EntryCall call) {
        return HexFormat.of().formatHex(Wire.toBytes(call::writeTo));
    }
}
