package io.ratelimit.core.http;

import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.explain.DescribedRequest;
import io.ratelimit.core.explain.Explanation;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What operators ask an engine over HTTP, as JSON, or as text where {@code Accept} prefers it. Whoever asks must be an
 * operator: users and addresses that a question names are shown, and so are names of rules, paths and hosts. Charges
 * nothing. Thread-safe.
 */
public final class OperatorAnswers {

    private static final String JSON = "application/json";
    private static final String PROBLEM = "application/problem+json";
    private static final String TEXT = "text/plain;charset=utf-8";

    private final boolean isText;

    private OperatorAnswers(boolean isText) {
        this.isText = isText;
    }

    /**
     * Answers in the form that a request prefers.
     *
     * @param acceptLines the values of {@code Accept}; none means JSON
     * @return the answers
     */
    public static OperatorAnswers preferredBy(List<String> acceptLines) {
        return new OperatorAnswers(AcceptedType.choose(acceptLines, List.of(JSON, TEXT))
                .filter(TEXT::equals)
                .isPresent());
    }

    /**
     * How things stand.
     *
     * @param engine the engine
     * @return 200, whether all is well or not
     */
    public OperatorAnswer status(RateLimitEngine engine) {
        return status(engine, List.of());
    }

    /**
     * How things stand.
     *
     * @param engine the engine
     * @param moreTrouble what is wrong around it, a sentence for each; may be empty
     * @return 200, whether all is well or not
     */
    public OperatorAnswer status(RateLimitEngine engine, List<String> moreTrouble) {
        EngineStatus status = EngineStatus.of(engine, moreTrouble);
        return isText ? text(200, status.toText()) : new OperatorAnswer(200, JSON, status.toJson());
    }

    /**
     * What would become of a request.
     *
     * @param engine the engine
     * @param request the request in words (see {@link DescribedRequest})
     * @return 200 with the explanation, or 400 that says what is wrong with the words
     */
    public OperatorAnswer explain(RateLimitEngine engine, String request) {
        DescribedRequest described;
        try {
            described = DescribedRequest.parse(request);
        } catch (IllegalArgumentException e) {
            return problem(400, "Bad Request", String.valueOf(e.getMessage()));
        }
        return explanation(engine.explain(described));
    }

    /**
     * What would become of a request.
     *
     * @param explanation why
     * @return 200 with the explanation
     */
    public OperatorAnswer explanation(Explanation explanation) {
        return isText
                ? text(200, explanation + "\n")
                : new OperatorAnswer(200, JSON, new ExplanationJson(explanation).toJson());
    }

    /**
     * Why there is no such answer.
     *
     * @param status the HTTP status
     * @param title the status in words
     * @param detail what to do
     * @return the problem (RFC 9457), or its detail as text
     */
    public OperatorAnswer problem(int status, String title, String detail) {
        Problem problem = new Problem("about:blank", title, status, detail, List.of());
        return isText
                ? text(status, detail + "\n")
                : new OperatorAnswer(status, PROBLEM, problem.toJson().getBytes(StandardCharsets.UTF_8));
    }

    private static OperatorAnswer text(int status, String text) {
        return new OperatorAnswer(status, TEXT, text.getBytes(StandardCharsets.UTF_8));
    }
}
