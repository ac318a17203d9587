package io.ratelimit.core.retrieve;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Set;
import java.util.function.Consumer;

/** Opens the stream of events at one location. */
final class EventsClient {

    /** What will not be otherwise soon. With 204 a service says that nobody should come back (HTML, section 9.2.3). */
    private static final Set<Integer> REFUSALS = Set.of(204, 401, 403, 404, 410);

    private final HttpExchanger exchanger;
    private final HttpLocation location;
    private final HostName host;
    private final Duration timeout;

    EventsClient(HttpExchanger exchanger, HttpLocation location, HostName host, Duration timeout) {
        this.exchanger = exchanger;
        this.location = location;
        this.host = host;
        this.timeout = timeout;
    }

    /** Where the events come from, without credentials. */
    String location() {
        return location.location();
    }

    /**
     * Connects.
     *
     * @param events hears each event, on the thread of the HTTP client
     * @return the stream; the caller closes it
     * @throws RefusedException if the service does not want to be listened to
     * @throws IOException if it cannot be
     */
    EventStream open(Consumer<ServerEvent> events) throws IOException, InterruptedException {
        HttpResponse<EventStream> answer = exchange(events);
        EventStream stream = answer.body();
        int status = answer.statusCode();
        String type = answer.headers().firstValue("Content-Type").orElse("");
        if (status == 200 && type.regionMatches(true, 0, "text/event-stream", 0, 17)) {
            stream.listen();
            return stream;
        }
        stream.close();
        String problem = status == 200 ? "answers with no event stream" : "answers status " + status;
        throw REFUSALS.contains(status) ? new RefusedException(problem) : new IOException(problem);
    }

    private HttpResponse<EventStream> exchange(Consumer<ServerEvent> events) throws IOException, InterruptedException {
        HttpRequest.Builder request =
                location.request().header("Accept", "text/event-stream").header("RateLimit-Host", host.toString());
        EventStream stream = new EventStream(events);
        boolean answered = false;
        try {
            HttpResponse<EventStream> response = exchanger.send(request, info -> stream, timeout);
            answered = true;
            return response;
        } finally {
            if (!answered) {
                stream.close();
            }
        }
    }

    /** The service does not want to be listened to, or not by this host. */
    static final class RefusedException extends IOException {

        private static final long serialVersionUID = 1;

        RefusedException(String message) {
            super(message);
        }
    }
}
