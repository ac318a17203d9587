package io.ratelimit.sample;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Makes a node as quick as it will be, before it says that it is ready. While a Java process still loads and compiles
 * its code, a burst of requests can starve the cluster's threads for longer than a decision may wait for them.
 *
 * <p>The calls are preflights of CORS, which pass the filters and Jersey and are free. The limiter warms its store up
 * itself.
 */
final class WarmUp {

    private static final Duration LONGEST = Duration.ofSeconds(4);
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final int THREADS = 8;
    private static final int ROUNDS_OF_EACH = 40;

    private final List<Node> nodes;

    WarmUp(List<Node> nodes) {
        this.nodes = nodes;
    }

    void run() throws InterruptedException {
        HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(PATIENCE)
                .build();
        List<Runnable> calls = new ArrayList<>();
        for (Node node : nodes) {
            HttpRequest preflight = preflight(node.url() + "/api/orders");
            calls.add(() -> call(client, preflight));
        }
        long end = System.nanoTime() + LONGEST.toNanos();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        IntStream.range(0, THREADS).forEach(i -> threads.execute(() -> repeat(calls, end)));
        threads.shutdown();
        threads.awaitTermination(LONGEST.plus(PATIENCE).toMillis(), TimeUnit.MILLISECONDS);
        threads.shutdownNow();
    }

    private static void repeat(List<Runnable> calls, long end) {
        for (int round = 0; round < ROUNDS_OF_EACH; round++) {
            for (Runnable call : calls) {
                if (System.nanoTime() - end > 0) {
                    return;
                }
                call.run();
            }
        }
    }

    private static HttpRequest preflight(String url) {
        return HttpRequest.newBuilder(URI.create(url))
                .timeout(PATIENCE)
                .method("OPTIONS", HttpRequest.BodyPublishers.noBody())
                .header("Origin", url)
                .header("Access-Control-Request-Method", "GET")
                .build();
    }

    private static void call(HttpClient client, HttpRequest request) {
        try {
            client.send(request, HttpResponse.BodyHandlers.discarding());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            // Whoever calls next will see whether the node answers: that is not what this is for.
            return;
        }
    }
}
