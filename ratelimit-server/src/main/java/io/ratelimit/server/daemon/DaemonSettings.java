package io.ratelimit.server.daemon;

import io.ratelimit.core.http.HttpSettings;
import io.ratelimit.server.envoy.EnvoySettings;
import io.ratelimit.server.listen.Listening;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the daemon is started with.
 *
 * @param http where it answers over HTTP
 * @param unixSocket the file of a Unix domain socket where it answers over HTTP too, or null
 * @param envoy how Envoys are answered, or null where they are not
 * @param tokens who may ask
 * @param engine the engine's settings, by the names of init-params
 * @param headers which header fields answers name for clients
 * @param settleWithin how long a caller may take to settle what was charged, positive
 */
public record DaemonSettings(
        Listening http,
        @Nullable Path unixSocket,
        @Nullable EnvoySettings envoy,
        TokenFiles tokens,
        Map<String, String> engine,
        HttpSettings headers,
        Duration settleWithin) {

    private static final Duration LONGEST_SETTLING = Duration.ofHours(1);

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if others could ask without a token, or a value is out of its range
     */
    public DaemonSettings {
        engine = Map.copyOf(engine);
        if (!tokens.areGiven() && !tokens.withoutTokens() && !http.isLocal()) {
            throw new IllegalArgumentException("--host " + http.host()
                    + ": others than this machine could spend everybody's tokens; name a --token-file, or say"
                    + " --without-tokens where the network keeps them away");
        }
        if (settleWithin.isNegative() || settleWithin.isZero() || settleWithin.compareTo(LONGEST_SETTLING) > 0) {
            throw new IllegalArgumentException(
                    "--settle-within is " + settleWithin + ": it must be more than 0 and at most 1h");
        }
    }

    /**
     * Who may ask.
     *
     * @param callers a file with the tokens of those who ask for decisions, or null where anybody may
     * @param operators a file with the tokens of operators, or null
     * @param withoutTokens whether it is meant that anybody may ask who reaches the port
     */
    public record TokenFiles(
            @Nullable Path callers, @Nullable Path operators, boolean withoutTokens) {

        boolean areGiven() {
            return callers != null;
        }
    }

    /** Shows no setting of the engine, which may be a secret. */
    @Override
    public String toString() {
        return "DaemonSettings[" + http + ", unixSocket=" + unixSocket + ", " + tokens + "]";
    }
}
