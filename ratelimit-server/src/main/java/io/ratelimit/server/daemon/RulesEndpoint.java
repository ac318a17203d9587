package io.ratelimit.server.daemon;

import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.rules.RulesDocument;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.eclipse.jetty.server.Request;

/** The rules in force, for callers that limit by themselves while this daemon is away. Thread-safe. */
final class RulesEndpoint implements Endpoint {

    private final RateLimitEngine engine;

    RulesEndpoint(RateLimitEngine engine) {
        this.engine = engine;
    }

    @Override
    public CompletionStage<Answer> answer(Request request) {
        return CompletableFuture.completedFuture(engine.rulesDocument()
                .map(document -> answer(request, document))
                .orElseGet(() -> Answer.problem(503, "there are no rules yet").with("Retry-After", "1")));
    }

    /** The version is the name: content of the same version is the same. */
    private static Answer answer(Request request, RulesDocument document) {
        String tag = "\"" + document.version() + "\"";
        String published = DateTimeFormatter.RFC_1123_DATE_TIME.format(
                Instant.ofEpochMilli(document.version()).atOffset(ZoneOffset.UTC));
        Answer answer = tag.equals(request.getHeaders().get("If-None-Match"))
                ? Answer.empty(304, List.of())
                : new Answer(200, "application/yaml", document.content());
        return answer.with("ETag", tag).with("Last-Modified", published);
    }
}
