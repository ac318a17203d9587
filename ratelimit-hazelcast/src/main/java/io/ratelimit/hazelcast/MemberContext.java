package io.ratelimit.hazelcast;

import com.hazelcast.core.HazelcastInstance;
import io.ratelimit.TimeSource;
import io.ratelimit.core.algorithm.Moment;
import io.ratelimit.core.entry.ClientEntry;
import io.ratelimit.core.entry.EntryEdit;
import io.ratelimit.core.entry.KnownSpecs;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What the buckets on one Hazelcast instance have in common: the clock that they refill by, and one copy of each spec.
 * Found through the instance's user context. Thread-safe.
 */
final class MemberContext {

    private static final String KEY = "io.ratelimit.hazelcast.member";

    private final TimeSource timeSource;
    private final long origin;
    private final long clockId = new SecureRandom().nextLong();

    private final KnownSpecs specs = new KnownSpecs();
    private final AtomicInteger stores = new AtomicInteger();

    MemberContext(TimeSource timeSource) {
        this.timeSource = timeSource;
        this.origin = timeSource.nanoTime();
    }

    /** The context of an instance on which no store was made: such a member keeps buckets for others. */
    static MemberContext of(HazelcastInstance instance) {
        return of(instance, TimeSource.system());
    }

    /** The context of an instance; the first to ask says what clock it has. */
    static MemberContext of(HazelcastInstance instance, TimeSource timeSource) {
        Object known = instance.getUserContext().get(KEY);
        return known instanceof MemberContext context
                ? context
                : (MemberContext) instance.getUserContext().computeIfAbsent(KEY, key -> new MemberContext(timeSource));
    }

    /** The time on this member's clocks. */
    Moment now() {
        return new Moment(timeSource.nanoTime() - origin, timeSource.currentTimeMillis());
    }

    /** Tells this clock from those of other members, and from an earlier one of the same address. */
    long clockId() {
        return clockId;
    }

    /** A store begins to use this instance. */
    void enter() {
        stores.incrementAndGet();
    }

    void leave() {
        stores.decrementAndGet();
    }

    /** How many stores use this instance: each is a host of its own. */
    int stores() {
        return stores.get();
    }

    /** What the buckets count by. */
    KnownSpecs specs() {
        return specs;
    }

    /** Begins a change of an entry that is on this member. */
    EntryEdit edit(@Nullable ClientBuckets before) {
        return new EntryEdit(before == null ? ClientEntry.EMPTY : before.entry(), specs, now(), clockId);
    }
}
