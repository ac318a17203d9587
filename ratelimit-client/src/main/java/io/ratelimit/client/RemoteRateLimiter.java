package io.ratelimit.client;

import io.ratelimit.Decision;
import io.ratelimit.RateLimitListener;
import io.ratelimit.RateLimiter;
import io.ratelimit.RequestContext;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Asks a daemon to decide. A request whose decision does not come in time passes, or is decided by local limits, and so it
 * is with every request while no daemon is there; nobody waits for one that is known to be away. Nothing is thrown, and no
 * call takes longer than the deadline.
 *
 * <p>A daemon is told a request's method, path, operation, cost, peer address and user, and of the rest what the builder
 * names. {@code Authorization} is told only where it is named.
 *
 * <p>Thread-safe. Connections stay open between calls.
 */
public final class RemoteRateLimiter implements RateLimiter, AutoCloseable {

    private static final Duration CLOSING = Duration.ofSeconds(1);

    private final List<Daemon> daemons;
    private final Duration deadline;
    private final SentFields fields;
    private final boolean settles;
    private final Semaphore places;
    private final Fallback fallback;
    private final GuardedListener listener;

    RemoteRateLimiter(
            List<Daemon> daemons,
            Duration deadline,
            SentFields fields,
            boolean settles,
            int mostCalls,
            Fallback fallback,
            RateLimitListener listener) {
        this.daemons = List.copyOf(daemons);
        this.deadline = deadline;
        this.fields = fields;
        this.settles = settles;
        this.places = new Semaphore(mostCalls);
        this.fallback = fallback;
        this.listener = new GuardedListener(listener);
    }

    /**
     * Begins to configure a limiter.
     *
     * @param addresses where daemons are, in the order in which they are asked: {@code http://HOST:PORT},
     *     {@code https://HOST:PORT} or {@code unix:/PATH}; at least one
     * @return a builder with defaults
     * @throws IllegalArgumentException if there is no address, or one that is none
     */
    public static RemoteRateLimiterBuilder of(String... addresses) {
        return new RemoteRateLimiterBuilder(List.of(addresses));
    }

    /**
     * Asks for a decision, and holds the thread until it is there or the deadline is over.
     *
     * @param context the request; read only during the call
     * @return the decision, never null; its reason is {@link Decision.Reason#FAILURE} where nobody could be asked
     */
    @Override
    public RemoteDecision decide(RequestContext context) {
        return told(context, ask(context, false));
    }

    private RemoteDecision told(RequestContext context, RemoteDecision decision) {
        listener.decided(context, decision);
        return decision;
    }

    private RemoteDecision ask(RequestContext context, boolean look) {
        long end = System.nanoTime() + deadline.toNanos();
        try {
            SentRequest request = fields.of(context);
            Consultation consultation = consult(request, look);
            consultation.begin();
            return orElse(consultation.await(end), request, look);
        } catch (Throwable e) {
            return broken(e);
        }
    }

    /**
     * Asks for a decision without holding the thread.
     *
     * @param context the request; read before this returns, and handed to the listener, if there is one, later
     * @return a stage that completes normally, at the latest when the deadline is over, with a {@link RemoteDecision}
     */
    @Override
    public CompletionStage<Decision> decideAsync(RequestContext context) {
        try {
            SentRequest request = fields.of(context);
            return onAnswers(consultAsync(request))
                    .thenApply(decision -> orElse(decision, request, false))
                    .exceptionally(this::broken)
                    .thenApply(decision -> told(context, decision));
        } catch (Throwable e) {
            return CompletableFuture.completedFuture(told(context, broken(e)));
        }
    }

    /**
     * Asks what would be decided, which charges nothing, and holds the thread as {@link #decide} does.
     *
     * @param context the request; read only during the call
     * @return what would be decided, with nothing to be settled; where no daemon can be asked, what is decided then
     */
    public RemoteDecision look(RequestContext context) {
        return ask(context, true);
    }

    private CompletableFuture<@Nullable DaemonDecision> consultAsync(SentRequest request) {
        Consultation consultation = consult(request, false);
        CompletableFuture<@Nullable DaemonDecision> answer = consultation.begin();
        if (!answer.isDone()) {
            CompletableFuture<Void> timer =
                    new CompletableFuture<Void>().orTimeout(deadline.toNanos(), TimeUnit.NANOSECONDS);
            timer.exceptionallyAsync(late -> {
                consultation.expire();
                return null;
            });
            // Else it would hold the request until the deadline. One that is cancelled does not let go of its time.
            answer.thenRun(() -> timer.complete(null));
        }
        return answer;
    }

    /** What the application does next may take its time, and the threads of connections must not wait for it. */
    private static <T> CompletableFuture<T> onAnswers(CompletableFuture<T> answer) {
        return answer.isDone() ? answer : answer.thenApplyAsync(given -> given, ForkJoinPool.commonPool());
    }

    private Consultation consult(SentRequest request, boolean look) {
        return new Consultation(
                () -> Question.of(request, look, settles && !look), daemons.iterator(), places, listener::failed);
    }

    private RemoteDecision orElse(@Nullable DaemonDecision decision, SentRequest request, boolean look) {
        return decision == null ? fallback.decide(request, look) : decision;
    }

    private RemoteDecision broken(Throwable failure) {
        listener.broken(failure);
        return PassedDecision.INSTANCE;
    }

    /**
     * Tells daemons for a second at most, all of them together, what is left to be settled. Whoever asks afterwards is answered as before or passes.
     */
    @Override
    public void close() {
        long end = System.nanoTime() + CLOSING.toNanos();
        daemons.forEach(daemon -> daemon.close(end));
        try {
            fallback.close();
        } finally {
            listener.closed();
        }
    }
}
