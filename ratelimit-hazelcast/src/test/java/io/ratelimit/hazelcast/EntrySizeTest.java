package io.ratelimit.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.entry.EntryEdit;
import io.ratelimit.core.entry.SampleCalls;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a client costs in the cluster, with all that an entry's value has when it travels to a backup. */
class EntrySizeTest {

    /** What Bucket4j 8 stores for a bucket with one limit, and with three. */
    private static final int BUCKET4J_ONE = 107;

    private static final int BUCKET4J_THREE = 249;

    private static final Limit SECOND = Limit.of(20, Duration.ofSeconds(1));
    private static final Limit MINUTE = Limit.of(600, Duration.ofMinutes(1));
    private static final Limit HOUR = Limit.of(10_000, Duration.ofHours(1));

    private final InternalSerializationService serialization = new DefaultSerializationServiceBuilder().build();
    private final ManualTimeSource clock = new ManualTimeSource(1);
    private final MemberContext member = new MemberContext(clock);

    @Test
    void aClientWithOneLimitTakesLessThanInBucket4j() {
        assertThat(bytes(rule("everyone", SECOND))).isLessThanOrEqualTo(70).isLessThan(BUCKET4J_ONE);
    }

    @Test
    void aClientWithThreeLimitsTakesLessThanInBucket4j() {
        assertThat(bytes(rule("everyone", SECOND, MINUTE, HOUR)))
                .isLessThanOrEqualTo(90)
                .isLessThan(BUCKET4J_THREE);
    }

    @Test
    void aClientWithThreeRulesTakesLessThanInBucket4j() {
        assertThat(bytes(rule("search", SECOND), rule("orders", MINUTE), rule("everyone", HOUR)))
                .isLessThanOrEqualTo(125)
                .isLessThan(BUCKET4J_THREE);
    }

    private int bytes(BucketSpec... rules) {
        EntryEdit edit = member.edit(null);
        SampleCalls.spend(0x5_0000_0007L, 1, 7, rules).apply(edit);
        return serialization.toData(new ClientBuckets(member, edit.result())).totalSize();
    }

    private static BucketSpec rule(String name, Limit... limits) {
        return new BucketSpec("orders", name, 1_700_000_000_000L, List.of(limits), StorePolicy.UNSET);
    }
}
