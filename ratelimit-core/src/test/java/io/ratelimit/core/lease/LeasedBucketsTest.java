package io.ratelimit.core.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.LimitState;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.bucket.ClientKind;
import io.ratelimit.core.bucket.DirectBuckets;
import io.ratelimit.core.bucket.DirectSpending;
import io.ratelimit.core.bucket.LocalBucketStore;
import io.ratelimit.core.bucket.RoutedReceipt;
import io.ratelimit.core.bucket.Verdict;
import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.OnFailure;
import io.ratelimit.rules.Sharing;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.Charge;
import io.ratelimit.store.SpendOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class LeasedBucketsTest {

    private static final Duration TIMEOUT = Duration.ofMillis(20);
    private static final ClientIdentifier BUSY = ClientIdentifier.of("user", "busy");
    private static final BucketSpec TEN_PER_SECOND = new BucketSpec(
            "orders",
            "ten",
            1,
            List.of(new Limit(10, Duration.ofSeconds(1), 100, Algorithm.TOKEN_BUCKET)),
            new StorePolicy(Sharing.LEASED, OnFailure.LOCAL, TIMEOUT));

    private final ManualTimeSource clock = new ManualTimeSource(-7_000_000_000L);
    private final OneHostsView view = new OneHostsView(new LocalBucketStore(clock, 10_000), 2);
    private final LeasingBucketStore store = new LeasingBucketStore(view, clock);
    private final DirectBuckets leases = store.leasesOf(TEN_PER_SECOND);
    private final ClientKind users = leases.kinds().of("user");

    @Test
    void nobodyIsAnsweredWhoHasNoLease() {
        settle();
        assertThat(leases.spend(users, "busy", 1)).isEqualTo(Verdict.UNDECIDED);
        assertThat(leases.spendInDetail(users, "busy", 1)).isNull();
    }

    @Test
    void whoHasALeaseIsAnsweredFromIt() {
        settle();
        lease();
        int calls = view.calls();
        DirectSpending spent = Objects.requireNonNull(leases.spendInDetail(users, "busy", 1));
        assertThat(spent.allowed()).isTrue();
        assertThat(spent.client()).isEqualTo(BUSY);
        assertThat(spent.limits()).containsExactly(spent.limit(0));
        assertThat(spent.limit(0).remaining()).isBetween(70L, 89L);
        assertThat(view.calls()).isEqualTo(calls);
    }

    @Test
    void aLeaseIsRenewedBeforeItIsUsedUp() {
        settle();
        lease();
        int answered = 0;
        for (int i = 0; i < 40; i++) {
            answered += leases.spend(users, "busy", 1) == Verdict.ALLOWED ? 1 : 0;
        }
        assertThat(answered).isEqualTo(40);
    }

    @Test
    void whatWasSpentCanBeGivenBackThroughTheStoreThatTookIt() {
        settle();
        lease();
        DirectSpending spent = Objects.requireNonNull(leases.spendInDetail(users, "busy", 1));
        RoutedReceipt receipt = (RoutedReceipt) Objects.requireNonNull(spent.receipt());
        assertThat(receipt.store()).isSameAs(store);
        long before = remaining();
        store.refund(receipt.receipt(), 1);
        assertThat(remaining()).isEqualTo(before);
    }

    @Test
    void whomTheSharedBucketsHaveRefusedIsRefusedAndToldHowLong() {
        settle();
        while (spend(1).allowed()) {
            // Until the bucket is empty.
        }
        int calls = view.calls();
        clock.advance(Duration.ofMillis(30));
        assertThat(leases.spend(users, "busy", 1)).isEqualTo(Verdict.REFUSED);
        DirectSpending refused = Objects.requireNonNull(leases.spendInDetail(users, "busy", 1));
        assertThat(refused.receipt()).isNull();
        assertThat(refused.limit(0)).extracting(LimitState::waitNanos).isEqualTo(70_000_000L);
        assertThat(view.calls()).isEqualTo(calls);
    }

    @Test
    void aLookIsNotAnsweredAndLessThanNothingIsNoCost() {
        settle();
        lease();
        assertThat(leases.spend(users, "busy", 0)).isEqualTo(Verdict.UNDECIDED);
        assertThatThrownBy(() -> leases.spend(users, "busy", -1)).isInstanceOf(IllegalArgumentException.class);
    }

    private void settle() {
        store.spend(List.of(new Charge(ClientIdentifier.of("user", "other"), TEN_PER_SECOND, 1)), TIMEOUT);
        clock.advance(LeasingBucketStore.SETTLING);
    }

    /** Comes often in a second, as a busy client does, so that tokens are leased. */
    private void lease() {
        for (int i = 0; i < 10; i++) {
            spend(1);
        }
    }

    private SpendOutcome spend(long cost) {
        return store.spend(List.of(new Charge(BUSY, TEN_PER_SECOND, cost)), TIMEOUT)
                .toCompletableFuture()
                .join();
    }

    /** What is told after another token was spent. */
    private long remaining() {
        return Objects.requireNonNull(leases.spendInDetail(users, "busy", 1))
                        .limit(0)
                        .remaining()
                + 1;
    }
}
