package io.ratelimit.server.remote;

import io.ratelimit.core.rules.Printable;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Sends a request again where that may help: after a failure of the connection, 429 and 5xx; with growing pauses, none
 * shorter than the service asks for. Only for requests that may be repeated.
 */
final class Retries {

    private static final int TRIES = 3;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);

    /** Nobody waits longer in front of a terminal. */
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    private static final int TOO_MANY_REQUESTS = 429;
    private static final int FIRST_SERVER_ERROR = 500;

    private final Exchange exchange;

    Retries(Exchange exchange) {
        this.exchange = exchange;
    }

    HttpResponse<byte[]> send(HttpRequest request) throws ServiceAwayException {
        Duration pause = FIRST_PAUSE;
        for (int attempt = 1; ; attempt++) {
            ServiceAwayException away;
            try {
                HttpResponse<byte[]> response = exchange.send(request);
                if (!isBusy(response)) {
                    return response;
                }
                away = new ServiceAwayException(
                        origin(request) + " is busy or out of order: it answers " + response.statusCode(),
                        retryAfter(response),
                        null);
            } catch (IOException e) {
                away = new ServiceAwayException(
                        origin(request) + " cannot be reached: " + Printable.escaped(String.valueOf(e.getMessage())),
                        Duration.ZERO,
                        e);
            }
            if (attempt == TRIES || away.retryAfter().compareTo(LONGEST_PAUSE) > 0) {
                throw away;
            }
            sleep(max(jittered(pause), away.retryAfter()), away);
            pause = pause.multipliedBy(2);
        }
    }

    private static boolean isBusy(HttpResponse<?> response) {
        return response.statusCode() == TOO_MANY_REQUESTS || response.statusCode() >= FIRST_SERVER_ERROR;
    }

    /** In seconds, or a date (RFC 9110, section 10.2.3). */
    private static Duration retryAfter(HttpResponse<?> response) {
        String value = response.headers().firstValue("Retry-After").orElse("").strip();
        try {
            if (value.matches("[0-9]{1,9}")) {
                return Duration.ofSeconds(Long.parseLong(value));
            }
            Instant then = ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
            return max(Duration.between(Instant.now(), then), Duration.ZERO);
        } catch (DateTimeException e) {
            return Duration.ZERO;
        }
    }

    /** Between half and the whole, so that pipelines that failed together do not come back together. */
    private static Duration jittered(Duration pause) {
        long millis = pause.toMillis();
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(millis / 2, millis + 1));
    }

    private static Duration max(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    private static void sleep(Duration pause, ServiceAwayException away) throws ServiceAwayException {
        try {
            Thread.sleep(pause.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw away;
        }
    }

    private static String origin(HttpRequest request) {
        return request.uri().getScheme() + "://" + request.uri().getAuthority();
    }
}
