package io.ratelimit.server.daemon;

import io.ratelimit.Decision;
import io.ratelimit.RequestContext;
import io.ratelimit.core.TokenBucketRateLimiter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/** Decides what a caller asks, one request or a batch. Thread-safe. */
final class DecideEndpoint implements Endpoint {

    /** Decisions that may wait for the shared store, or for callers to take them. */
    private static final int MOST_AT_ONCE = 10_000;

    private final TokenBucketRateLimiter limiter;
    private final Receipts receipts;
    private final Bodies bodies;
    private final Json json;
    private final DecisionJson decisions;
    private final Semaphore places = new Semaphore(MOST_AT_ONCE);

    DecideEndpoint(
            TokenBucketRateLimiter limiter, Receipts receipts, Bodies bodies, Json json, DecisionJson decisions) {
        this.limiter = limiter;
        this.receipts = receipts;
        this.bodies = bodies;
        this.json = json;
        this.decisions = decisions;
    }

    @Override
    public CompletionStage<Answer> answer(Request request) {
        return bodies.json(request).thenCompose(body -> decide(request, json.read(body, "requests", Question.class)));
    }

    private CompletionStage<Answer> decide(Request request, Json.Asked<Question> asked) {
        int count = asked.items().size();
        if (!places.tryAcquire(count)) {
            throw new BadQuestionException(503, "too many decisions are under way; come back in a second");
        }
        Request.addCompletionListener(request, failure -> places.release(count));
        List<CompletableFuture<Told>> told = new ArrayList<>(count);
        for (Question question : asked.items()) {
            told.add(decide(question).toCompletableFuture());
        }
        return CompletableFuture.allOf(told.toArray(CompletableFuture<?>[]::new))
                .thenApply(done ->
                        answer(told.stream().map(CompletableFuture::join).toList(), asked.isBatch()));
    }

    /**
     * A decision for a caller.
     *
     * @param receipt what the caller settles it by, or null where there is nothing to settle
     */
    private record Told(Decision decision, @Nullable String receipt) {}

    private CompletionStage<Told> decide(Question question) {
        RequestContext context = question.toContext();
        if (question.isLook()) {
            return limiter.lookAsync(context).thenApply(looked -> new Told(looked, null));
        }
        return limiter.decideAsync(context).thenApply(decision -> new Told(decision, receipt(question, decision)));
    }

    private @Nullable String receipt(Question question, Decision decision) {
        boolean wanted = decision.mustBeSettled()
                || (question.wantsToSettle() && !decision.limits().isEmpty());
        return decision.allowed() && wanted ? receipts.issue(decision.settlement()) : null;
    }

    private Answer answer(List<Told> told, boolean isBatch) {
        return Answer.json(json.write(out -> {
            if (!isBatch) {
                decisions.write(out, told.get(0).decision(), told.get(0).receipt());
                return;
            }
            out.writeStartObject();
            out.writeArrayFieldStart("decisions");
            for (Told one : told) {
                decisions.write(out, one.decision(), one.receipt());
            }
            out.writeEndArray();
            out.writeEndObject();
        }));
    }
}
