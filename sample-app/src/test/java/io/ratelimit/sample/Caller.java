package io.ratelimit.sample;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/** Calls the sample over HTTP. Thread-safe. */
final class Caller {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();

    Answer get(String url, String... headers) {
        return send(HttpRequest.newBuilder(URI.create(url)).GET(), headers);
    }

    Answer post(String url, String body, String... headers) {
        return send(HttpRequest.newBuilder(URI.create(url)).POST(HttpRequest.BodyPublishers.ofString(body)), headers);
    }

    /** Makes calls by a number of threads at a time. */
    List<Answer> many(int calls, int threads, IntFunction<Answer> call) {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<Answer>> tasks = new ArrayList<>();
            for (int i = 0; i < calls; i++) {
                int number = i;
                tasks.add(() -> call.apply(number));
            }
            List<Answer> answers = new ArrayList<>();
            for (Future<Answer> answer : executor.invokeAll(tasks)) {
                answers.add(answer.get());
            }
            return answers;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } finally {
            executor.shutdownNow();
        }
    }

    static String[] key(String apiKey) {
        return new String[] {"X-Api-Key", apiKey};
    }

    static String[] login(String user, String password) {
        String credentials = Base64.getEncoder().encodeToString((user + ":" + password).getBytes(UTF_8));
        return new String[] {"Authorization", "Basic " + credentials};
    }

    private Answer send(HttpRequest.Builder request, String... headers) {
        if (headers.length > 0) {
            request.headers(headers);
        }
        long before = System.nanoTime();
        try {
            return new Answer(
                    client.send(request.timeout(PATIENCE).build(), HttpResponse.BodyHandlers.ofString()),
                    Duration.ofNanos(System.nanoTime() - before));
        } catch (IOException e) {
            throw new UncheckedIOException(Arrays.toString(headers), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** What came back, and how long it took. */
    record Answer(HttpResponse<String> response, Duration took) {

        int status() {
            return response.statusCode();
        }

        boolean isPassed() {
            return status() == 200;
        }

        boolean isRefused() {
            return status() == 429;
        }

        boolean isLimited() {
            return response.headers().firstValue("X-RateLimit-Remaining").isPresent();
        }

        long remaining() {
            return number("X-RateLimit-Remaining");
        }

        long limit() {
            return number("X-RateLimit-Limit");
        }

        long number(String header) {
            return response.headers().firstValueAsLong(header).orElseThrow();
        }

        String body() {
            return response.body();
        }
    }
}
