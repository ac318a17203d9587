package io.ratelimit.server.remote;

import com.google.common.base.Throwables;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One request and its whole answer, within bounds of time and size. Follows no redirect, since a token goes along. */
final class Exchange {

    private static final Duration CONNECT = Duration.ofSeconds(5);

    /** Several times a rules document, for answers that list what is wrong in one. */
    private static final int LARGEST_BODY = 16 << 20;

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(CONNECT)
            .build();
    private final Duration patience;

    /** Makes an exchange whose requests are answered to the end within a time, or not at all. */
    Exchange(Duration patience) {
        this.patience = patience;
    }

    /**
     * Sends a request.
     *
     * @throws IOException if there is no answer; the message says why in words
     */
    HttpResponse<byte[]> send(HttpRequest request) throws IOException {
        // A request's own timeout ends with the headers; a body may take as long as it likes.
        CompletableFuture<HttpResponse<byte[]>> answer =
                client.sendAsync(request, headers -> new BoundedBody(LARGEST_BODY));
        try {
            return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new IOException("no answer within " + patience.toSeconds() + " s", e);
        } catch (ExecutionException e) {
            throw new IOException(inWords(Throwables.getRootCause(e), e.getCause() instanceof ConnectException), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        } finally {
            answer.cancel(true);
        }
    }

    private static String inWords(Throwable cause, boolean isUnconnected) {
        if (cause instanceof HttpConnectTimeoutException) {
            return "no connection within " + CONNECT.toSeconds() + " s";
        }
        if (cause instanceof UnresolvedAddressException) {
            return "there is no such host";
        }
        // The JDK's own words are few here, or none.
        return isUnconnected ? "no connection" : String.valueOf(cause.getMessage());
    }
}
