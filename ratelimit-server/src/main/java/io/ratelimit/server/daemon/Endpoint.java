package io.ratelimit.server.daemon;

import java.util.concurrent.CompletionStage;
import org.eclipse.jetty.server.Request;

/** Answers requests to one path. Thread-safe, and never holds the thread that asks. */
@FunctionalInterface
interface Endpoint {

    /**
     * Answers a request.
     *
     * @throws BadQuestionException if the request is none; a stage may fail with it as well
     */
    CompletionStage<Answer> answer(Request request);
}
