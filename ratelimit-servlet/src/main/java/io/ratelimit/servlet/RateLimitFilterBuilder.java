package io.ratelimit.servlet;

import io.ratelimit.AttributeResolver;
import io.ratelimit.CostResolver;
import io.ratelimit.IdentityVerifier;
import io.ratelimit.RateLimitListener;
import io.ratelimit.RefusalResponder;
import io.ratelimit.TimeSource;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.RateLimitEngineBuilder;
import io.ratelimit.core.http.AnswerExtensions;
import io.ratelimit.rules.RulesSource;
import io.ratelimit.store.BucketStore;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Makes a filter in code, with the words of the init-params. The engine is made when the container starts the filter,
 * and closed with it; init-params that the deployment sets stand before what is set here. Good for one filter; not
 * thread-safe.
 */
public final class RateLimitFilterBuilder {

    private final Map<String, String> settings = new LinkedHashMap<>();
    private final RateLimitEngineBuilder engine = RateLimitEngine.builder();
    private AnswerExtensions answers = AnswerExtensions.none();

    RateLimitFilterBuilder() {}

    /**
     * Gives one setting. Its name and value are checked when the filter starts.
     *
     * @param name the setting's name, such as {@code rules} or {@code cluster}
     * @param value its value
     * @return this builder
     */
    public RateLimitFilterBuilder setting(String name, String value) {
        settings.put(name, value);
        return this;
    }

    /**
     * Gives several settings.
     *
     * @param values values by name
     * @return this builder
     */
    public RateLimitFilterBuilder settings(Map<String, String> values) {
        settings.putAll(values);
        return this;
    }

    /**
     * Says where the rules come from.
     *
     * @param location {@code classpath:NAME}, a file's path, or an HTTP URL; {@code classpath:ratelimit.yaml} by default
     * @return this builder
     */
    public RateLimitFilterBuilder rules(String location) {
        return setting("rules", location);
    }

    /**
     * Hands in a source of rules of the application's own, in place of {@link #rules(String)}.
     *
     * @param source the source; closed with the filter
     * @return this builder
     */
    public RateLimitFilterBuilder rules(RulesSource source) {
        engine.rules(source);
        return this;
    }

    /**
     * Hands in a shared store, in place of one by settings.
     *
     * @param store the store; closed with the filter
     * @return this builder
     */
    public RateLimitFilterBuilder store(BucketStore store) {
        engine.store(store);
        return this;
    }

    /**
     * Hands in clocks.
     *
     * @param timeSource the clocks, those of the machine by default
     * @return this builder
     */
    public RateLimitFilterBuilder timeSource(TimeSource timeSource) {
        engine.timeSource(timeSource);
        return this;
    }

    /**
     * Adds a listener, beside those before it, those on the class path and the one that the setting {@code metrics}
     * asks for.
     *
     * @param listener hears decisions, reloads and failures
     * @return this builder
     */
    public RateLimitFilterBuilder listener(RateLimitListener listener) {
        engine.listener(listener);
        return this;
    }

    /**
     * Adds a resolver of attributes, to be asked after those before it and before those on the class path.
     *
     * @param resolver finds attributes that requests do not carry themselves
     * @return this builder
     */
    public RateLimitFilterBuilder attributes(AttributeResolver resolver) {
        engine.attributes(resolver);
        return this;
    }

    /**
     * Adds a resolver of costs. It stands in place of one of the same name on the class path.
     *
     * @param resolver works out costs, such as a {@link io.ratelimit.core.QueryParameterCost}
     * @return this builder
     * @throws IllegalArgumentException if another one was given its name, or the name is none that rules files can say
     */
    public RateLimitFilterBuilder costs(CostResolver resolver) {
        engine.costs(resolver);
        return this;
    }

    /**
     * Adds a verifier of identities, beside those on the class path.
     *
     * @param verifier says which claimed identities are real
     * @return this builder
     */
    public RateLimitFilterBuilder identities(IdentityVerifier verifier) {
        engine.identities(verifier);
        return this;
    }

    /**
     * Adds a responder, to be asked after those before it and before those on the class path.
     *
     * @param responder writes the bodies of refusals
     * @return this builder
     */
    public RateLimitFilterBuilder responder(RefusalResponder responder) {
        answers = answers.with(responder);
        return this;
    }

    /**
     * Makes the filter.
     *
     * @return a filter for {@link jakarta.servlet.ServletContext#addFilter(String, jakarta.servlet.Filter)}
     */
    public RateLimitFilter build() {
        return new RateLimitFilter(new FilterStartup(engine, answers, settings));
    }
}
