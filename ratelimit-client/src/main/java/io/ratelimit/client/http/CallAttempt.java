package io.ratelimit.client.http;

import jakarta.ws.rs.client.ClientResponseContext;
import jakarta.ws.rs.core.Configuration;
import jakarta.ws.rs.core.Response;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A call that is another attempt of a caller's call, whose answer goes to that one as it came. */
final class CallAttempt {

    private final List<String> providers;
    private boolean isLikeTheFirst;
    private @Nullable InputStream body;

    /**
     * Begins an attempt.
     *
     * @param ofCall what takes part in the caller's call
     */
    CallAttempt(Configuration ofCall) {
        this.providers = providers(ofCall);
    }

    /** Whether the same filters, interceptors, readers and writers take part in the attempt. */
    boolean isMadeWith(Configuration ofAttempt) {
        isLikeTheFirst = providers(ofAttempt).equals(providers);
        return isLikeTheFirst;
    }

    /** By their classes: features may make some of them anew. */
    private static List<String> providers(Configuration configuration) {
        return Stream.concat(
                        configuration.getClasses().stream(),
                        configuration.getInstances().stream().map(Object::getClass))
                .map(Class::getName)
                .sorted()
                .toList();
    }

    /** Takes the body before anybody decodes it: that is done by the caller's call. */
    void answered(ClientResponseContext response) {
        body = response.getEntityStream();
        response.setEntityStream(new ByteArrayInputStream(new byte[0]));
    }

    /** The answer, or null where the attempt was not made since it would not have been the same. */
    @Nullable
    CallAnswer answer(Response response) {
        if (isLikeTheFirst) {
            return new CallAnswer(response.getStatusInfo(), response.getStringHeaders(), body, response);
        }
        response.close();
        return null;
    }
}
