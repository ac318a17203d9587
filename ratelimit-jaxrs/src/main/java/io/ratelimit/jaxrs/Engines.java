package io.ratelimit.jaxrs;

import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.RateLimitEngineBuilder;
import io.ratelimit.core.http.AnswerExtensions;
import io.ratelimit.core.http.ChargedRequest;
import io.ratelimit.core.http.HttpAnswers;
import io.ratelimit.core.http.HttpEngine;
import io.ratelimit.core.http.HttpSettings;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.RulesSource;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the engine that decides: that of the servlet filter, so that both charge the same buckets; else the one handed
 * in; else one made for the application. Thread-safe.
 */
final class Engines implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RateLimitFeature.class);

    private static final String DEFAULT_RULES = "ratelimit.yaml";

    private final @Nullable HttpEngine given;
    private @Nullable HttpEngine own;
    private @Nullable IllegalStateException broken;
    private boolean closed;

    Engines(@Nullable HttpEngine given) {
        this.given = given;
    }

    HttpEngine find(ContainerRequestContext request, Exchange exchange) {
        if (request.getProperty(HttpEngine.ATTRIBUTE) instanceof HttpEngine ofRequest) {
            return ofRequest;
        }
        if (request.getProperty(ChargedRequest.ATTRIBUTE) instanceof ChargedRequest charged) {
            return charged.http();
        }
        if (exchange.applicationAttribute(HttpEngine.ATTRIBUTE) instanceof HttpEngine ofApplication) {
            return ofApplication;
        }
        return given == null ? own() : given;
    }

    /** What keeps the engine from being made once does so for good: it is not tried again for each request. */
    private synchronized HttpEngine own() {
        if (broken != null) {
            throw broken;
        }
        if (own == null) {
            try {
                own = start();
            } catch (Throwable e) {
                broken = new IllegalStateException("the limiter could not be started", e);
                throw broken;
            }
        }
        return own;
    }

    private HttpEngine start() {
        ClassLoader loader = applicationLoader();
        RateLimitEngine engine = build(loader);
        try {
            HttpEngine http = withFoundAnswers(engine, loader);
            if (closed) {
                engine.close();
            } else {
                engine.start();
            }
            return http;
        } catch (Throwable e) {
            engine.close();
            throw e;
        }
    }

    /** An engine with the answers that settings do not change, and with what the class path adds to them. */
    static HttpEngine withFoundAnswers(RateLimitEngine engine) {
        return withFoundAnswers(engine, applicationLoader());
    }

    private static HttpEngine withFoundAnswers(RateLimitEngine engine, ClassLoader loader) {
        AnswerExtensions found = AnswerExtensions.none().withFound(loader);
        return new HttpEngine(engine, new HttpAnswers(HttpSettings.DEFAULT, engine.timeSource(), found));
    }

    private static ClassLoader applicationLoader() {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        return context == null ? RateLimitFeature.class.getClassLoader() : context;
    }

    private static RateLimitEngine build(ClassLoader loader) {
        RateLimitEngineBuilder builder = RateLimitEngine.builder().classLoader(loader);
        if (loader.getResource(DEFAULT_RULES) != null) {
            return builder.rules("classpath:" + DEFAULT_RULES).build();
        }
        LOG.info("There is no {} on the class path: only the limits of annotations hold", DEFAULT_RULES);
        return builder.rules(new NoRules()).build();
    }

    /** Closes the engine that was made here; one that was handed in belongs to whoever did. */
    @Override
    public synchronized void close() {
        closed = true;
        if (own != null) {
            own.engine().close();
        }
    }

    /** Gives a document without rules, so that the engine is ready. */
    private static final class NoRules implements RulesSource {

        @Override
        public String location() {
            return "annotations";
        }

        @Override
        public Optional<RulesDocument> retrieve(@Nullable RulesDocument last) {
            byte[] content = "{\"service\": \"application\", \"rules\": []}".getBytes(StandardCharsets.UTF_8);
            return last == null ? Optional.of(new RulesDocument(location(), content, "none", 0)) : Optional.empty();
        }
    }
}
