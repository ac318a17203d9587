package io.ratelimit.core.entry;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.algorithm.Moment;
import io.ratelimit.core.bucket.CompiledSpec;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClientEntryTest {

    private static final Limit TEN_PER_MINUTE = Limit.of(10, Duration.ofMinutes(1));

    private static final Moment START = Moment.ofNanos(0);

    @Test
    void theSideWithFewerTokensWinsForEachLimit() {
        Limit hourly = Limit.of(100, Duration.ofHours(1));
        NamedSpec both = named("everyone", 1, TEN_PER_MINUTE, hourly);
        ClientEntry merged = merge(entry(spent(both, 3)), entry(spent(both, 7)));
        assertThat(remaining(merged, 0)).isEqualTo(3);
        assertThat(merge(entry(spent(both, 7)), entry(spent(both, 3))).keptNanos(START))
                .isEqualTo(merged.keptNanos(START));
    }

    @Test
    void bucketsOfEitherSideAreKept() {
        ClientEntry merged = merge(
                entry(spent(named("one", 1, TEN_PER_MINUTE), 3)), entry(spent(named("two", 1, TEN_PER_MINUTE), 4)));
        assertThat(merged.slots(START)).extracting(BucketSlot::name).containsExactly("one", "two");
    }

    @Test
    void newerRulesWinOnWhicheverSideTheyAre() {
        NamedSpec old = named("everyone", 1, Limit.of(1000, Duration.ofMinutes(1)));
        NamedSpec newer = named("everyone", 2, TEN_PER_MINUTE);
        assertThat(remaining(merge(entry(spent(old, 8)), entry(spent(newer, 2))), 0))
                .isEqualTo(2);
        assertThat(remaining(merge(entry(spent(newer, 9)), entry(spent(old, 1))), 0))
                .isEqualTo(1);
    }

    private static ClientEntry merge(ClientEntry left, ClientEntry right) {
        return left.merged(right, START);
    }

    private static ClientEntry entry(BucketSlot... slots) {
        return ClientEntry.of(START, List.of(slots), RecentCalls.NONE);
    }

    private static long remaining(ClientEntry entry, int slot) {
        BucketSlot merged = entry.slots(START).get(slot);
        return merged.spec().algorithm(0).remaining(merged.states()[0], START);
    }

    private static BucketSlot spent(NamedSpec spec, long tokens) {
        BucketSlot full = BucketSlot.full(spec, START);
        return full.with(spec.spec().spend(full.states(), START, tokens), START);
    }

    private static NamedSpec named(String name, long version, Limit... limits) {
        return new NamedSpec(
                name, CompiledSpec.of(new BucketSpec("orders", name, version, List.of(limits), StorePolicy.UNSET)));
    }
}
