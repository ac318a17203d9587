package io.ratelimit.jaxrs;

import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.RateLimitEngineBuilder;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.RulesSource;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Engines whose clock stands still and whose rules stand in the test. */
final class TestEngine {

    private TestEngine() {}

    /** A started engine with these entries under {@code rules}. */
    static RateLimitEngine with(String rules) {
        return withDocument("rules:\n" + (rules.isEmpty() ? "  []" : rules.indent(2)));
    }

    static RateLimitEngine withDocument(String body) {
        return withDocument(body, builder -> builder);
    }

    /** The same with what a test adds to it. */
    static RateLimitEngine withDocument(String body, UnaryOperator<RateLimitEngineBuilder> more) {
        RateLimitEngine engine = more.apply(RateLimitEngine.builder()
                        .rules(new TextSource("service: test\n" + body))
                        .timeSource(new ManualTimeSource()))
                .build();
        engine.start();
        if (!engine.isReady()) {
            throw new AssertionError(engine.rulesStatus());
        }
        return engine;
    }

    private record TextSource(String text) implements RulesSource {

        @Override
        public String location() {
            return "rules of the test";
        }

        @Override
        public Optional<RulesDocument> retrieve(@Nullable RulesDocument last) {
            byte[] content = text.getBytes(StandardCharsets.UTF_8);
            return last == null ? Optional.of(new RulesDocument(location(), content, "tag", 1)) : Optional.empty();
        }
    }
}
