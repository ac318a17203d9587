package io.ratelimit.core.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.LimitState;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.Sharing;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.SpendOutcome;
import io.ratelimit.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class SharingBucketStoreTest {

    private static final Duration TIMEOUT = Duration.ofMillis(20);

    private final ManualTimeSource clock = new ManualTimeSource();
    private final BucketStore host = new LocalBucketStore(clock, 100);
    private final BucketStore shared = new LocalBucketStore(clock, 100);
    private final BucketStore store = new SharingBucketStore(Sharing.HOST, host, shared);
    private final Charge here = charge(Sharing.HOST, 5);
    private final Charge everywhere = charge(Sharing.EXACT, 2);

    @Test
    void chargesGoWhereTheirRulesSayAndComeBackInOrder() {
        SpendOutcome spent = spend(store, everywhere, here);
        assertThat(spent.charges()).extracting(outcome -> outcome.charge()).containsExactly(everywhere, here);
        assertThat(remaining(host, here)).isEqualTo(4);
        assertThat(remaining(shared, everywhere)).isEqualTo(1);
    }

    @Test
    void aRefusalOfTheSharedStoreGivesTheHostsChargesBack() {
        spend(store, here, everywhere);
        spend(store, here, everywhere);
        SpendOutcome refused = spend(store, here, everywhere);
        assertThat(refused.allowed()).isFalse();
        assertThat(refused.charges().get(0).limits())
                .extracting(LimitState::remaining)
                .containsExactly(3L);
        assertThat(refused.charges().get(1).admits()).isFalse();
        assertThat(remaining(host, here)).isEqualTo(3);
    }

    @Test
    void aFailureOfTheSharedStoreGivesTheHostsChargesBack() {
        BucketStore broken = mock(BucketStore.class);
        when(broken.spend(any(), any()))
                .thenReturn(CompletableFuture.failedFuture(new StoreException("store-error", "gone")));
        assertThat(new SharingBucketStore(Sharing.HOST, host, broken).spend(List.of(here, everywhere), TIMEOUT))
                .isCompletedExceptionally();
        when(broken.spend(any(), any())).thenThrow(new IllegalStateException("not active"));
        assertThat(new SharingBucketStore(Sharing.HOST, host, broken).spend(List.of(here, everywhere), TIMEOUT))
                .isCompletedExceptionally();
        assertThat(remaining(host, here)).isEqualTo(5);
    }

    @Test
    void aRefusalOnThisHostAsksNobodyElse() {
        for (int i = 0; i < 5; i++) {
            spend(store, here);
        }
        assertThat(spend(store, here, everywhere).allowed()).isFalse();
        assertThat(remaining(shared, everywhere)).isEqualTo(2);
    }

    @Test
    void receiptsFindTheirWayBack() {
        SpendOutcome spent = spend(store, here, everywhere);
        spent.charges().forEach(outcome -> store.refund(outcome.receipt(), 1));
        assertThat(remaining(host, here)).isEqualTo(5);
        assertThat(remaining(shared, everywhere)).isEqualTo(2);
    }

    private static long remaining(BucketStore store, Charge charge) {
        return spend(store, new Charge(charge.client(), charge.bucket(), 0))
                .charges()
                .get(0)
                .limits()
                .get(0)
                .remaining();
    }

    private static SpendOutcome spend(BucketStore store, Charge... charges) {
        return store.spend(List.of(charges), TIMEOUT).toCompletableFuture().join();
    }

    private static Charge charge(Sharing sharing, long tokens) {
        StorePolicy policy = new StorePolicy(sharing, null, null);
        List<Limit> limits = List.of(Limit.of(tokens, Duration.ofMinutes(1)));
        return new Charge(
                ClientIdentifier.of("user", "alice"),
                new BucketSpec("orders", "rule-" + sharing, 1, limits, policy),
                1);
    }
}
