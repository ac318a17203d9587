package io.ratelimit.core.retrieve;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Sends reports to the link that the service names, for as long as it names one. Thread-safe. */
final class ReportsClient implements ReportReceiver {

    /** Nobody reads what the service says beside the status. */
    private static final int ANSWER_BYTES = 4 << 10;

    private final HttpExchanger exchanger;
    private final HostName host;
    private final Duration timeout;
    private volatile @Nullable HttpLocation link;

    ReportsClient(HttpExchanger exchanger, HostName host, Duration timeout) {
        this.exchanger = exchanger;
        this.host = host;
        this.timeout = timeout;
    }

    /** Sends reports to a link from now on, or nowhere. */
    void follow(Optional<HttpLocation> named) {
        link = named.orElse(null);
    }

    @Override
    public HostName host() {
        return host;
    }

    @Override
    public @Nullable String location() {
        HttpLocation now = link;
        return now == null ? null : now.location();
    }

    @Override
    public int send(byte[] json) throws IOException, InterruptedException {
        HttpLocation to = link;
        if (to == null) {
            throw new IOException("the service names no link for reports any more");
        }
        HttpRequest.Builder request = to.request()
                .header("Content-Type", "application/json")
                .header("RateLimit-Host", host.toString())
                .POST(BodyPublishers.ofByteArray(json));
        return exchanger
                .send(request, info -> new CappedBody(ANSWER_BYTES, null), timeout)
                .statusCode();
    }
}
