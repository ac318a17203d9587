package io.ratelimit.core.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.bucket.OwnerBreaker;
import io.ratelimit.store.StoreException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ClientCallsTest {

    private static final Duration PATIENCE = Duration.ofMillis(20);

    /** A call that its owner has not answered. */
    private record Open(EntryKey key, int steps, CompletableFuture<EntryAnswer> result) {

        void answer() {
            List<StepAnswer> answers = Stream.generate(() -> new StepAnswer(true, List.<SlotAnswer>of()))
                    .limit(steps)
                    .toList();
            result.complete(new EntryAnswer(1, 2, answers));
        }
    }

    private final EntryKey client = new EntryKey("orders", new UUID(1, 1));
    private final EntryKey other = new EntryKey("orders", new UUID(2, 2));
    private final ManualTimeSource clock = new ManualTimeSource();
    private final Deque<Open> open = new ArrayDeque<>();
    private boolean senderIsGone;

    /** So many calls are rejected at once, while somebody else comes for the same client. */
    private int rejecting;

    private final List<CompletableFuture<TakenStep>> behind = new ArrayList<>();
    private final ClientCalls calls = new ClientCalls(new OneOwner(), clock, work -> {
        if (senderIsGone) {
            throw new RejectedExecutionException();
        }
        work.run();
    });

    /** One owner has all entries. */
    private final class OneOwner implements Owners {

        private final OwnerBreaker breaker = new OwnerBreaker();

        @Override
        public CompletableFuture<EntryAnswer> call(EntryKey key, EntryCall call) {
            if (rejecting > 0) {
                rejecting--;
                behind.add(submit(key));
                return CompletableFuture.failedFuture(new StoreException("store-error", "not connected"));
            }
            CompletableFuture<EntryAnswer> answer = new CompletableFuture<>();
            open.add(new Open(key, call.steps().size(), answer));
            return answer;
        }

        @Override
        public OwnerBreaker breakerOf(EntryKey key) {
            return breaker;
        }

        @Override
        public String nameOf(EntryKey key) {
            return "member 10.0.0.2:5701";
        }
    }

    @Test
    void whatComesForAClientWhileACallIsUnderWayGoesTogetherWithTheNext() {
        List<CompletableFuture<TakenStep>> taken = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            taken.add(submit(client));
        }
        assertThat(open).extracting(Open::steps).containsExactly(1);
        open.remove().answer();
        assertThat(open).extracting(Open::steps).containsExactly(4);
        assertThat(taken).filteredOn(CompletableFuture::isDone).hasSize(1);
        open.remove().answer();
        assertThat(taken).allMatch(CompletableFuture::isDone);
        assertThat(open).isEmpty();
    }

    @Test
    void clientsDoNotWaitForOneAnother() {
        submit(client);
        submit(other);
        assertThat(open).extracting(Open::key).containsExactly(client, other);
    }

    @Test
    void aCallThatFailsFailsItsOwnStepsOnly() {
        CompletableFuture<TakenStep> first = submit(client);
        CompletableFuture<TakenStep> second = submit(client);
        open.remove().result().completeExceptionally(new IllegalStateException("the member has left"));
        open.remove().answer();
        assertThat(first).isCompletedExceptionally();
        assertThat(second.join().allowed()).isTrue();
    }

    @Test
    void noMessageGrowsWithoutBound() {
        List<CompletableFuture<TakenStep>> taken = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            taken.add(submit(client));
        }
        while (!open.isEmpty()) {
            assertThat(open.element().steps()).isLessThanOrEqualTo(256);
            open.remove().answer();
        }
        assertThat(taken).allMatch(step -> step.join().allowed());
    }

    @Test
    void aStepThatHasWaitedForTooLongIsNotTaken() {
        submit(client);
        CompletableFuture<TakenStep> late = submit(client);
        clock.advance(Duration.ofMillis(21));
        open.remove().answer();
        assertThat(open).isEmpty();
        assertThatThrownBy(late::join).hasMessageContaining("not made");
        submit(client);
        assertThat(open).hasSize(1);
    }

    @Test
    void aCallThatIsOverdueKeepsNobodyWaiting() {
        submit(client);
        Open lost = open.remove();
        clock.advance(Duration.ofMillis(21));
        CompletableFuture<TakenStep> second = submit(client);
        CompletableFuture<TakenStep> third = submit(client);
        open.remove().answer();
        open.remove().answer();
        assertThat(second).isCompleted();
        assertThat(third).isCompleted();
        lost.answer();
        submit(client);
        assertThat(open).hasSize(1);
    }

    @Test
    void anOwnerThatOwesAnAnswerIsNotAskedUntilItAnswersAnything() {
        submit(client);
        clock.advance(Duration.ofMillis(21));
        assertThatThrownBy(() -> calls.check(calls.locate(other), PATIENCE))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("member 10.0.0.2:5701 has not answered for 20 ms");
        open.remove().answer();
        calls.check(calls.locate(other), PATIENCE);
    }

    @Test
    void whileAnOwnerIsSilentOneLookInAWhileAsksWhetherItIsBack() {
        submit(client);
        open.remove();
        clock.advance(Duration.ofMillis(21));
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> calls.check(calls.locate(other), PATIENCE)).isInstanceOf(StoreException.class);
        }
        assertThat(open).extracting(Open::steps).containsExactly(0);
        open.remove().answer();
        calls.check(calls.locate(other), PATIENCE);
    }

    @Test
    void nobodyWaitsForEverOnceTheStoreIsClosed() {
        submit(client);
        CompletableFuture<TakenStep> waiting = submit(client);
        senderIsGone = true;
        open.remove().answer();
        assertThat(waiting).isCompletedExceptionally();
        assertThat(open).isEmpty();
    }

    @Test
    void withoutAConnectionNobodyWaitsAndNoThreadFailsTheCallsOfAllOthers() {
        rejecting = 100_000;
        CompletableFuture<TakenStep> first = submit(client);
        assertThat(List.of(first, behind.get(0)))
                .allSatisfy(taken -> assertThatThrownBy(taken::join).hasMessageContaining("not connected"));
        assertThat(behind).hasSize(1);
        rejecting = 0;
        CompletableFuture<TakenStep> later = submit(client);
        open.remove().answer();
        assertThat(later.join().allowed()).isTrue();
    }

    private CompletableFuture<TakenStep> submit(EntryKey key) {
        return calls.submit(calls.locate(key), new RewriteStep(), PATIENCE);
    }
}
