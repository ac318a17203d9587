package io.ratelimit.client.http;

import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientRequestContext;
import jakarta.ws.rs.client.Entity;
import jakarta.ws.rs.client.Invocation;
import jakarta.ws.rs.core.Configuration;
import jakarta.ws.rs.core.MultivaluedHashMap;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Variant;
import java.net.URI;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A caller's call as it was before any filter, to be made again. Its further attempts are calls of the same client. */
final class RepeatedCall {

    /** These go with the body. */
    private static final Set<String> OF_THE_BODY =
            Set.of("Content-Type", "Content-Language", "Content-Encoding", "Content-Length");

    private final ClientRequestContext request;
    private final URI uri;
    private final String method;
    private final MultivaluedMap<String, Object> headers;
    private @Nullable WrittenBody body;

    RepeatedCall(ClientRequestContext request) {
        this.request = request;
        this.uri = request.getUri();
        this.method = request.getMethod();
        this.headers = new MultivaluedHashMap<>(request.getHeaders());
    }

    URI uri() {
        return uri;
    }

    /** The body has been sent to its end. */
    void wrote(WrittenBody written) {
        body = written;
    }

    boolean mayRepeat(RepeatRules rules) {
        return rules.mayRepeat(method, has(RepeatRules.IDEMPOTENCY_KEY));
    }

    private boolean has(String header) {
        return headers.keySet().stream().anyMatch(header::equalsIgnoreCase);
    }

    /** Whether another attempt would send the same, body and all. */
    boolean isReplayable() {
        return (!request.hasEntity() || bytes().isPresent())
                && request.getClient().getConfiguration().isRegistered(RetryingFeature.class);
    }

    private Optional<byte[]> bytes() {
        return Optional.ofNullable(body).flatMap(WrittenBody::whole);
    }

    /**
     * Makes the call again.
     *
     * @return the answer, or null where the client would not have made the same call
     * @throws jakarta.ws.rs.ProcessingException if there is no answer
     */
    @Nullable
    CallAnswer attempt() {
        Client client = request.getClient();
        MultivaluedMap<String, Object> own = new MultivaluedHashMap<>(headers);
        own.keySet().removeIf(name -> OF_THE_BODY.stream().anyMatch(name::equalsIgnoreCase));
        Invocation.Builder builder = client.target(uri).request().headers(own);
        for (String name : request.getPropertyNames()) {
            copy(name, request.getProperty(name), builder);
        }
        copySettings(request.getConfiguration(), client.getConfiguration(), builder);
        CallAttempt attempt = new CallAttempt(request.getConfiguration());
        builder.property(RetryFilter.CALL, null);
        builder.property(RetryFilter.ATTEMPT, attempt);
        Invocation invocation = bytes().map(bytes -> builder.build(method, Entity.entity(bytes, variant())))
                .orElseGet(() -> builder.build(method));
        return attempt.answer(invocation.invoke());
    }

    /** What was set for this call alone, such as timeouts. */
    private static void copySettings(Configuration ofCall, Configuration ofClient, Invocation.Builder builder) {
        for (String name : ofCall.getPropertyNames()) {
            Object value = ofCall.getProperty(name);
            if (!Objects.equals(value, ofClient.getProperty(name))) {
                copy(name, value, builder);
            }
        }
    }

    private static void copy(String name, @Nullable Object value, Invocation.Builder builder) {
        if (value != null) {
            builder.property(name, value);
        }
    }

    /** With the parameters that the writer has added, such as the boundary of parts. */
    private Variant variant() {
        return new Variant(request.getMediaType(), request.getLanguage(), request.getHeaderString("Content-Encoding"));
    }
}
