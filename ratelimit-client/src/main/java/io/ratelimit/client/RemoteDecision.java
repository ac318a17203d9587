package io.ratelimit.client;

import io.ratelimit.Decision;
import java.util.Map;

/** What a {@link RemoteRateLimiter} has decided, with what the client is to be told. Immutable and safe for use by any thread. */
public interface RemoteDecision extends Decision {

    /**
     * The headers of the answer to the client, whether it passes or not: what the daemon's rules say, such as
     * {@code RateLimit} and {@code Retry-After}.
     *
     * @return values by name, in the daemon's order; empty where no daemon has decided and nothing is known
     */
    Map<String, String> headers();

    /**
     * The status to refuse the request with.
     *
     * @return 400 to 599, most often 429; of no meaning for a request that passes
     */
    int status();
}
