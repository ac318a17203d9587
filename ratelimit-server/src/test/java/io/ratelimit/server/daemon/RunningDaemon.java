package io.ratelimit.server.daemon;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ratelimit.core.http.HttpSettings;
import io.ratelimit.server.daemon.DaemonSettings.TokenFiles;
import io.ratelimit.server.listen.Listening;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A daemon on a port of its own, and a client that asks it. */
final class RunningDaemon implements AutoCloseable {

    static final TokenFiles OPEN = new TokenFiles(null, null, false);

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final HttpClient client = HttpClient.newHttpClient();
    private final Daemon daemon;

    private RunningDaemon(Daemon daemon) {
        this.daemon = daemon;
    }

    static RunningDaemon start(DaemonSettings settings) {
        return start(settings, begun -> {});
    }

    static RunningDaemon start(DaemonSettings settings, Consumer<Daemon> begun) {
        return new RunningDaemon(Daemon.start(settings, begun));
    }

    static RunningDaemon start(Path directory, String rules) {
        return start(directory, rules, OPEN, Duration.ofSeconds(60));
    }

    static RunningDaemon start(Path directory, String rules, TokenFiles tokens, Duration settleWithin) {
        return start(settings(directory, rules, tokens, null, settleWithin));
    }

    /** A daemon that looks at its token files so often. */
    static RunningDaemon startReading(Path directory, String rules, TokenFiles tokens, Duration tokensEvery) {
        return new RunningDaemon(Daemon.start(
                settings(directory, rules, tokens, null, Duration.ofSeconds(60)), tokensEvery, begun -> {}));
    }

    static RunningDaemon startAt(Path directory, String rules, TokenFiles tokens, Path unixSocket) {
        return start(settings(directory, rules, tokens, unixSocket, Duration.ofSeconds(60)));
    }

    static DaemonSettings settings(
            Path directory, String rules, TokenFiles tokens, @Nullable Path unixSocket, Duration settleWithin) {
        Path file = directory.resolve("rules.yaml");
        try {
            Files.writeString(file, rules);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new DaemonSettings(
                new Listening("127.0.0.1", 0, "--port", null),
                unixSocket,
                null,
                tokens,
                Map.of("rules", file.toString()),
                HttpSettings.DEFAULT,
                settleWithin);
    }

    Daemon daemon() {
        return daemon;
    }

    URI at(String path) {
        return daemon.uri().resolve(path);
    }

    HttpResponse<String> get(String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(at(path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    HttpResponse<String> post(String path, String body, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(at(path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    JsonNode decide(String question) throws Exception {
        return answer(post("/v1/decide", question));
    }

    JsonNode settle(String settling) throws Exception {
        return answer(post("/v1/settle", settling));
    }

    private static JsonNode answer(HttpResponse<String> response) throws Exception {
        if (response.statusCode() != 200) {
            throw new AssertionError(response.statusCode() + " " + response.body());
        }
        return MAPPER.readTree(response.body());
    }

    @Override
    public void close() {
        daemon.close();
    }
}
