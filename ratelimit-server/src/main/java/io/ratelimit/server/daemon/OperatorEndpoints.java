package io.ratelimit.server.daemon;

import com.google.common.base.Strings;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.http.OperatorAnswer;
import io.ratelimit.core.http.OperatorAnswers;
import io.ratelimit.core.thread.DaemonThreads;
import io.ratelimit.server.envoy.EnvoyPort;
import io.ratelimit.server.envoy.EnvoyQuestion;
import io.ratelimit.server.meters.ProcessMeters;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Fields;

/** What operators ask. It may wait for the shared store, on a thread of its own; some may wait for that. */
final class OperatorEndpoints implements AutoCloseable {

    private static final int MOST_WAITING = 50;

    private final RateLimitEngine engine;
    private final ProcessMeters meters;
    private final Supplier<Optional<EnvoyPort>> envoys;
    private final ExecutorService thread = new ThreadPoolExecutor(
            1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MOST_WAITING), new DaemonThreads("daemon-operators"));

    OperatorEndpoints(RateLimitEngine engine, ProcessMeters meters, Supplier<Optional<EnvoyPort>> envoys) {
        this.engine = engine;
        this.meters = meters;
        this.envoys = envoys;
    }

    CompletionStage<Answer> status(Request request) {
        return later(() -> {
            Optional<DescriptorsReport> report =
                    envoys.get().flatMap(EnvoyPort::descriptors).map(DescriptorsReport::new);
            List<String> trouble = report.map(DescriptorsReport::trouble).orElse(List.of());
            Answer answer = Answer.of(preferredBy(request).status(engine, trouble));
            return report.map(answer::with).orElse(answer);
        });
    }

    CompletionStage<Answer> explain(Request request) {
        Fields asked = Request.extractQueryParameters(request);
        if (asked.get("domain") != null || asked.get("descriptor") != null) {
            return later(() -> Answer.of(explain(asked, preferredBy(request))));
        }
        String words = Strings.nullToEmpty(asked.getValue("request"));
        return later(() -> Answer.of(preferredBy(request).explain(engine, words)));
    }

    private OperatorAnswer explain(Fields asked, OperatorAnswers answers) {
        try {
            if (asked.get("request") != null) {
                throw new IllegalArgumentException(
                        "ask either by request, or as Envoy does by domain and descriptor: leave one of them out");
            }
            EnvoyPort port = envoys.get()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "this daemon answers no Envoys: start it with --descriptors or --grpc-port"));
            return answers.explanation(
                    port.explain(EnvoyQuestion.parse(asked.getValue("domain"), asked.getValuesOrEmpty("descriptor"))));
        } catch (IllegalArgumentException e) {
            return answers.problem(400, "Bad Request", String.valueOf(e.getMessage()));
        }
    }

    CompletionStage<Answer> metrics(Request request) {
        return later(() -> new Answer(200, ProcessMeters.FORMAT, meters.scrape().getBytes(StandardCharsets.UTF_8)));
    }

    private CompletionStage<Answer> later(Supplier<Answer> making) {
        try {
            return CompletableFuture.supplyAsync(making, thread);
        } catch (RejectedExecutionException e) {
            throw new BadQuestionException(503, "too many operators ask; come back in a second");
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    private static OperatorAnswers preferredBy(Request request) {
        return OperatorAnswers.preferredBy(request.getHeaders().getValuesList(HttpHeader.ACCEPT));
    }
}
