package io.ratelimit.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.hazelcast.internal.serialization.impl.HeapData;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.entry.EntryAnswer;
import io.ratelimit.core.entry.EntryCall;
import io.ratelimit.core.entry.EntryEdit;
import io.ratelimit.core.entry.SampleCalls;
import io.ratelimit.core.wire.Wire;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The bytes that members of adjacent versions exchange: the form, and what the core writes. */
class WireTest {

    private static final BucketSpec EVERYONE =
            new BucketSpec("orders", "everyone", 3, List.of(Limit.of(20, Duration.ofSeconds(1))), StorePolicy.UNSET);

    private final InternalSerializationService serialization = new DefaultSerializationServiceBuilder().build();
    private final ManualTimeSource clock = new ManualTimeSource(-3);
    private final MemberContext member = new MemberContext(clock);

    @Test
    void callsAndAnswersFollowTheForm() {
        EntryCall call = SampleCalls.spend(7, 1, 5, EVERYONE);
        EntryAnswer answer = call.apply(member.edit(null));
        assertThat(payload(new BucketProcessor(call))).isEqualTo("03" + hex(call::writeTo));
        assertThat(payload(new BucketAnswer(answer))).isEqualTo("03" + hex(answer::writeTo));
    }

    @Test
    void callsAndAnswersAreRead() {
        EntryCall call = SampleCalls.spend(7, 2, 5, EVERYONE);
        BucketProcessor read = serialization.toObject(serialization.toData(new BucketProcessor(call)));
        assertThat(payload(read)).isEqualTo(payload(new BucketProcessor(call)));
        BucketAnswer answer = new BucketAnswer(call.apply(member.edit(null)));
        BucketAnswer readAnswer = serialization.toObject(serialization.toData(answer));
        assertThat(SampleCalls.allowed(readAnswer.answer())).containsExactly(true, true);
    }

    @Test
    void entriesFollowTheForm() {
        EntryEdit edit = member.edit(null);
        SampleCalls.spend(7, 1, 5, EVERYONE).apply(edit);
        ClientBuckets buckets = new ClientBuckets(member, edit.result());
        clock.advanceNanos(400);
        String entry = "03" + hex(buckets.entry().depart(member.now())::writeTo);
        assertThat(payload(buckets)).isEqualTo(entry);
        assertThat(payload(new StoreOnBackup(buckets))).isEqualTo("03" + entry);
        ClientBuckets received = serialization.toObject(serialization.toData(buckets));
        assertThat(payload(received)).isEqualTo(entry);
        ManualTimeSource elsewhere = new ManualTimeSource(Long.MAX_VALUE);
        MemberContext receiver = new MemberContext(elsewhere);
        elsewhere.advance(Duration.ofDays(3));
        received.arriveAt(receiver);
        assertThat(payload(received)).isEqualTo(entry);
    }

    @Test
    void anotherFormIsRefusedWithAWordAboutVersions() {
        byte[] bytes = serialization.toData(new BucketProcessor()).toByteArray();
        int length = Wire.toBytes(EntryCall.NOTHING::writeTo).length;
        bytes[bytes.length - length - 1] = 1;
        assertThatThrownBy(() -> serialization.toObject(new HeapData(bytes)))
                .isInstanceOf(HazelcastSerializationException.class)
                .hasStackTraceContaining("all hosts need the same version of ratelimit");
    }

    private static String hex(Wire.Part part) {
        return HexFormat.of().formatHex(Wire.toBytes(part));
    }

    /** What follows Hazelcast's own header, which ends with our factory and type. */
    private String payload(Object message) {
        String all = HexFormat.of().formatHex(serialization.toData(message).toByteArray());
        String factory = HexFormat.of().toHexDigits(BucketSerializerHook.FACTORY_ID);
        return all.substring(all.indexOf(factory) + 16);
    }
}
