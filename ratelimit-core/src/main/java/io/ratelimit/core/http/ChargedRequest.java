package io.ratelimit.core.http;

import io.ratelimit.Decision;
import io.ratelimit.RequestContext;
import io.ratelimit.core.match.CountedMethod;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Marks a client's request as decided, so that it is not charged again when it is dispatched on, meets the filter a
 * second time or reaches an annotation. Immutable; travels as a request attribute.
 */
public final class ChargedRequest {

    /** The request attribute under which the mark of the engine that decided last is found. */
    public static final String ATTRIBUTE = "io.ratelimit.charged";

    private final HttpEngine http;
    private final RequestContext context;
    private final Decision decision;
    private final @Nullable ChargedRequest earlier;

    private ChargedRequest(
            HttpEngine http, RequestContext context, Decision decision, @Nullable ChargedRequest earlier) {
        this.http = http;
        this.context = context;
        this.decision = decision;
        this.earlier = earlier;
    }

    /**
     * Marks a request.
     *
     * @param http the engine that decided
     * @param context the request as it was decided
     * @param decision the decision that let it pass
     * @param attribute the value of {@link #ATTRIBUTE} so far: null, or the mark of another engine, which stays
     * @return the mark, which is nowhere yet
     */
    public static ChargedRequest mark(
            HttpEngine http, RequestContext context, Decision decision, @Nullable Object attribute) {
        return new ChargedRequest(
                http, context, decision, attribute instanceof ChargedRequest charged ? charged : null);
    }

    /**
     * Looks for the mark of one engine.
     *
     * @param http the engine
     * @param attribute the value of {@link #ATTRIBUTE}, or null
     * @return the mark, or null where that engine has not decided yet
     */
    public static @Nullable ChargedRequest find(HttpEngine http, @Nullable Object attribute) {
        ChargedRequest charged = attribute instanceof ChargedRequest mark ? mark : null;
        while (charged != null && charged.http.engine() != http.engine()) {
            charged = charged.earlier;
        }
        return charged;
    }

    /**
     * The same mark after the decision was extended.
     *
     * @param extended the decision that now stands for the request
     * @return the mark, which is nowhere yet
     */
    public ChargedRequest withDecision(Decision extended) {
        return new ChargedRequest(http, context, extended, earlier);
    }

    /**
     * Leaves the mark, and the decision for the application, in the request.
     *
     * @param attributes takes a name and a value
     */
    public void leaveIn(BiConsumer<String, Object> attributes) {
        attributes.accept(ATTRIBUTE, this);
        attributes.accept(Decision.ATTRIBUTE, decision);
    }

    /**
     * Whether the request was decided under a method. {@code HEAD} is {@code GET} here, as it is for rules.
     *
     * @param method the method that runs
     * @return false if the request was decided under another one, whose rules may be others
     */
    public boolean isOf(String method) {
        return CountedMethod.of(context.method()).equals(CountedMethod.of(method));
    }

    /**
     * The engine that decided.
     *
     * @return the engine and its answers
     */
    public HttpEngine http() {
        return http;
    }

    /**
     * The request as it was decided.
     *
     * @return the request
     */
    public RequestContext context() {
        return context;
    }

    /**
     * The decision that let the request pass.
     *
     * @return the decision
     */
    public Decision decision() {
        return decision;
    }
}
