package io.ratelimit.server.web;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ratelimit.server.access.NewToken;
import io.ratelimit.server.database.DatabaseSettings;
import io.ratelimit.server.listen.Listening;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** A rules service on a port of its own, and a client that speaks to it as its users do. */
public final class RunningService implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI url;
    private final String admin;
    private final AutoCloseable server;

    private RunningService(URI url, String admin, AutoCloseable server) {
        this.url = url;
        this.admin = admin;
        this.server = server;
    }

    /** Speaks to a service that runs elsewhere. */
    public static RunningService elsewhere(URI url, String admin) {
        return new RunningService(url, admin, () -> {});
    }

    /** Starts a service on a database that has no tokens yet. */
    public static RunningService firstStart(DatabaseSettings database) {
        AtomicReference<NewToken> first = new AtomicReference<>();
        RulesServer server = RulesServer.start(settings(database), first::set);
        return new RunningService(server.uri(), first.get().secret(), server);
    }

    /** Starts a service anew on the database of another. */
    public static RunningService again(DatabaseSettings database, String admin) {
        RulesServer server = RulesServer.start(settings(database), token -> {});
        return new RunningService(server.uri(), admin, server);
    }

    private static ServerSettings settings(DatabaseSettings database) {
        return new ServerSettings(
                new Listening("127.0.0.1", 0, "--port", null), database, null, List.of(), null, false);
    }

    public String admin() {
        return admin;
    }

    public URI uri(String path) {
        return URI.create(url + path);
    }

    /** Gives out a token of a role for services. */
    public String token(String name, String role, String services) {
        Answer created = post(
                "/v1/tokens",
                admin,
                "{\"name\":\"" + name + "\",\"role\":\"" + role + "\",\"services\":[\"" + services + "\"]}");
        if (created.status() != 201) {
            throw new AssertionError(created);
        }
        return created.json().get("secret").asText();
    }

    /** Publishes over whatever there is. */
    public Answer publish(String service, String rules) {
        return send(request("/v1/services/" + service + "/rules", admin)
                .header("If-Match", "*")
                .PUT(HttpRequest.BodyPublishers.ofString(rules)));
    }

    public Answer get(String path, String token) {
        return send(request(path, token).GET());
    }

    /** Waits where the service's own limits ask for it. */
    public Answer getPatiently(String path, String token) {
        while (true) {
            Answer answer = get(path, token);
            if (answer.status() != 429) {
                return answer;
            }
            try {
                Thread.sleep(1_000L * Integer.parseInt(answer.header("Retry-After")));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    public Answer post(String path, String token, String json) {
        return send(request(path, token)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json)));
    }

    public HttpRequest.Builder request(String path, String token) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(path)).timeout(Duration.ofSeconds(30));
        return token == null ? request : request.header("Authorization", "Bearer " + token);
    }

    public Answer send(HttpRequest.Builder request) {
        try {
            return answer(request);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** A server that has not read a body closes the connection behind its answer, which this client may have begun to use. */
    private Answer answer(HttpRequest.Builder request) throws IOException, InterruptedException {
        try {
            return new Answer(client.send(request.build(), HttpResponse.BodyHandlers.ofString()));
        } catch (IOException e) {
            if (!String.valueOf(e.getMessage()).contains("received no bytes")) {
                throw e;
            }
            return new Answer(client.send(request.build(), HttpResponse.BodyHandlers.ofString()));
        }
    }

    /** Listens to a stream of events. */
    public EventReader events(String path, String token) {
        try {
            return new EventReader(client.send(
                    request(path, token).header("Accept", "text/event-stream").build(),
                    HttpResponse.BodyHandlers.ofInputStream()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** What the service answered. */
    public record Answer(HttpResponse<String> response) {

        public int status() {
            return response.statusCode();
        }

        public String body() {
            return response.body();
        }

        public String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }

        public JsonNode json() {
            try {
                return JSON.readTree(body());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public String toString() {
            return status() + " " + response.headers().map() + "\n" + body();
        }
    }
}
