package io.ratelimit.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.ratelimit.store.BucketStore;
import io.ratelimit.store.SpendOutcome;
import io.ratelimit.store.StoreException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class RestartedStoreTest {

    private static final Duration TIMEOUT = Duration.ofMillis(20);

    private final StoreException first = new StoreException("store-error", "no port");
    private final Queue<Supplier<BucketStore>> starts = new ArrayDeque<>();
    private final RestartedStore store =
            new RestartedStore(() -> starts.remove().get(), false, false, first);
    private final BucketStore real = mock(BucketStore.class);

    @Test
    void failsEachChargeWithWhatKeptTheStoreFromStarting() {
        assertThat(store.spend(List.of(), TIMEOUT)).isCompletedExceptionally();
        assertThatThrownBy(() ->
                        store.spend(List.of(), TIMEOUT).toCompletableFuture().join())
                .hasCause(first);
        assertThat(store.started()).isNull();
    }

    @Test
    void asksTheStoreOnceALaterStartSucceeds() throws Exception {
        SpendOutcome outcome = new SpendOutcome(true, false, List.of());
        when(real.spend(any(), any())).thenReturn(CompletableFuture.completedFuture(outcome));
        starts.add(() -> {
            throw new StoreException("store-error", "still no port");
        });
        starts.add(() -> real);
        store.restart();
        assertThatThrownBy(() ->
                        store.spend(List.of(), TIMEOUT).toCompletableFuture().join())
                .hasRootCauseMessage("still no port");
        store.restart();
        store.restart();
        verify(real).warmUp();
        assertThat(store.spend(List.of(), TIMEOUT)).isCompletedWithValue(outcome);
        store.close();
        verify(real).close();
    }

    @Test
    void itIsKnownBeforeTheStartWhetherHostsWillTellOneAnotherSomething() {
        assertThat(store.broadcaster()).isNull();
        assertThat(new RestartedStore(() -> real, true, false, first).broadcaster())
                .isNotNull();
    }

    @Test
    void aStoreThatStartsAfterTheEndIsClosed() {
        starts.add(() -> {
            store.close();
            return real;
        });
        store.restart();
        verify(real).close();
        assertThat(store.started()).isNull();
    }

    @Test
    void aStoreThatCannotBeWarmedUpIsClosed() throws Exception {
        doThrow(new IllegalStateException("not active")).when(real).warmUp();
        starts.add(() -> real);
        assertThatThrownBy(store::restart).isInstanceOf(IllegalStateException.class);
        verify(real).close();
        assertThat(store.started()).isNull();
    }
}
