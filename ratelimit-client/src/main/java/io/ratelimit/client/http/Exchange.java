package io.ratelimit.client.http;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.ResponseInfo;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A caller's request with its attempts, one after the other. Whoever is told to wait leaves the queue afterwards. */
final class Exchange<T> {

    private final Retries retries;
    private final HttpRequest request;
    private final @Nullable KeptBody body;
    private final BodyHandler<T> handler;

    private int attempts;
    private volatile @Nullable Duration wait;

    Exchange(Retries retries, HttpRequest asked, BodyHandler<T> handler) {
        this.retries = retries;
        this.body = asked.bodyPublisher()
                .map(publisher -> new KeptBody(publisher, retries.settings().mostKeptBytes()))
                .orElse(null);
        this.request = body == null
                ? asked
                : HttpRequest.newBuilder(asked, (name, value) -> true)
                        .method(asked.method(), body)
                        .build();
        this.handler = handler;
    }

    /** Begins another attempt. */
    HttpRequest attempt() {
        attempts++;
        wait = null;
        return request;
    }

    /** Gives the caller the body of the last answer, and of no other. */
    BodySubscriber<T> answered(ResponseInfo info) {
        Duration stated = StatedWait.of(info.headers(), Instant.now()).orElse(null);
        if (retries.settings().rules().allow(request, info.statusCode(), stated != null)) {
            wait = retries.waitIfAllowed(attempts, stated);
        }
        return wait == null ? handler.apply(info) : new Discarded<>();
    }

    /** There is no answer, or not all of it. */
    void failed(Throwable failure) {
        if (wait == null && retries.settings().rules().allow(request, failure)) {
            wait = retries.waitIfAllowed(attempts, null);
        }
    }

    /** How long to wait before another attempt, or null where there is to be none. */
    @Nullable
    Duration untilNext() {
        return wait;
    }

    /**
     * Makes sure that another attempt would send the same.
     *
     * @throws IOException if the body cannot be sent again
     */
    void requireReplayable() throws IOException {
        if (body != null) {
            body.requireWhole();
        }
    }
}
