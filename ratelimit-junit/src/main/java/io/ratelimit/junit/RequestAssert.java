package io.ratelimit.junit;

import io.ratelimit.Decision;
import io.ratelimit.LimitState;
import io.ratelimit.LimitStatus;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.explain.DescribedRequest;
import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.opentest4j.AssertionFailedError;

/**
 * Asserts what became of a request. Each assertion that does not hold throws an {@link AssertionFailedError}, which says
 * what each rule makes of the request. A limit is named by its rule, or as clients see it, such as {@code everyone:1h},
 * where the rule has several. Thread-safe.
 */
public final class RequestAssert {

    private final RateLimitEngine engine;
    private final String description;
    private final DescribedRequest request;
    private final Decision decision;

    RequestAssert(RateLimitEngine engine, String description, DescribedRequest request, Decision decision) {
        this.engine = engine;
        this.description = description;
        this.request = request;
        this.decision = decision;
    }

    /**
     * The request passed.
     *
     * @return this
     */
    public RequestAssert isAllowed() {
        return check(decision.allowed(), "to be allowed");
    }

    /**
     * The request passed because nothing limits it: no rule applies, or it is exempt.
     *
     * @return this
     */
    public RequestAssert isNotLimited() {
        return check(decision.reason() == Decision.Reason.NO_LIMIT, "not to be limited");
    }

    /**
     * The request was refused.
     *
     * @return this
     */
    public RequestAssert isRefused() {
        return check(!decision.allowed(), "to be refused");
    }

    /**
     * The request was refused, and this limit had too few tokens; others may have had too few as well.
     *
     * @param limit the rule's name, or the limit's
     * @return this
     */
    public RequestAssert isRefusedBy(String limit) {
        return check(
                !decision.allowed()
                        && decision.limits().stream().anyMatch(status -> !status.admits() && isNamed(status, limit)),
                "to be refused by " + limit);
    }

    /**
     * The request was refused and would pass after exactly this time.
     *
     * @param wait the whole wait
     * @return this
     */
    public RequestAssert mayRetryAfter(Duration wait) {
        return check(
                !decision.allowed() && decision.retryAfter().equals(Optional.of(wait)),
                "to be refused with a wait of " + text(wait));
    }

    /**
     * The request was refused, and no waiting can help: a limit is 0, or smaller than what the request costs. A limit of
     * {@code concurrency} that is full only now, and a shared limit that could not be asked, do not refuse for good.
     *
     * @return this
     */
    public RequestAssert mayNeverPass() {
        return check(
                !decision.allowed() && decision.limits().stream().anyMatch(RequestAssert::admitsNever),
                "to be refused for good");
    }

    /** Where a limit of concurrency refuses with nothing under way, nothing that ends makes room. */
    private static boolean admitsNever(LimitStatus status) {
        if (status.state().waitNanos() != LimitState.NEVER) {
            return false;
        }
        Limit limit = status.limit();
        return limit.algorithm() != Algorithm.CONCURRENCY || status.remaining() >= limit.capacity();
    }

    /**
     * So many tokens are left in the limit that decided.
     *
     * @param tokens tokens, at least 0
     * @return this
     */
    public RequestAssert leaves(long tokens) {
        return check(
                decision.decidingLimit() != null && decision.remaining() == tokens, "to leave " + tokens + " tokens");
    }

    /**
     * So many tokens are left in this limit.
     *
     * @param tokens tokens, at least 0
     * @param limit the rule's name, or the limit's
     * @return this
     */
    public RequestAssert leaves(long tokens, String limit) {
        return check(
                decision.limits().stream().anyMatch(status -> isNamed(status, limit) && status.remaining() == tokens),
                "to leave " + tokens + " tokens in " + limit);
    }

    /**
     * A shadow rule would have refused the request, were it in force.
     *
     * @param limit the rule's name, or the limit's
     * @return this
     */
    public RequestAssert wouldBeRefusedBy(String limit) {
        return check(
                decision.shadowRefusals().stream().anyMatch(status -> isNamed(status, limit)),
                "to be one that the shadow rule " + limit + " would refuse");
    }

    /**
     * Ends the request with a response: rules that charge by the response settle, and limits of {@code concurrency} no
     * longer count it as under way.
     *
     * @param status the response's HTTP status
     * @return this
     */
    public RequestAssert answered(int status) {
        decision.settlement().complete(status);
        return this;
    }

    /**
     * The decision, for what is not asserted here.
     *
     * @return the decision
     */
    public Decision decision() {
        return decision;
    }

    private static boolean isNamed(LimitStatus status, String limit) {
        return status.policy().equals(limit) || status.rule().name().equals(limit);
    }

    private RequestAssert check(boolean holds, String expected) {
        if (!holds) {
            throw new AssertionFailedError("Expected " + description + "\n  " + expected + ", but it was " + outcome()
                    + ".\nAs things stand now:\n" + engine.explain(request));
        }
        return this;
    }

    private String outcome() {
        if (decision.allowed()) {
            String left = told(decision.limits());
            String shadow = told(decision.shadowRefusals());
            return (left.isEmpty() ? "not limited" : "allowed: " + left)
                    + (shadow.isEmpty() ? "" : ", in shadow refused: " + shadow);
        }
        return "refused: " + told(decision.limits());
    }

    private static String told(List<LimitStatus> limits) {
        return limits.stream().map(RequestAssert::told).collect(Collectors.joining(", "));
    }

    private static String told(LimitStatus status) {
        String wait = status.retryAfter().map(RequestAssert::text).orElse("no wait that helps");
        return status.policy() + " with " + status.remaining() + " left"
                + (status.admits() ? "" : ", refuses, " + wait);
    }

    private static String text(Duration wait) {
        return wait.toString().replace("PT", "").toLowerCase(Locale.ROOT);
    }
}
