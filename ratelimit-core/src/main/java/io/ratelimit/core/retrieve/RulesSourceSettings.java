package io.ratelimit.core.retrieve;

import io.ratelimit.TimeSource;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What sources need to know beside the location.
 *
 * @param classLoader where {@code classpath:} locations are looked for, usually the context class loader of the
 *     application; null for the one of this library
 * @param bearerToken sent to an HTTP source as {@code Authorization: Bearer}, also over plain {@code http}; null for
 *     none
 * @param connectTimeout how long a connection to an HTTP source may take, positive
 * @param requestTimeout how long one HTTP request may take, connection and body included, positive
 * @param push whether an HTTP source that pushes changes is listened to
 * @param host what an HTTP source is told that this host is called
 * @param time tells the version of what has no date that can be believed
 */
public record RulesSourceSettings(
        @Nullable ClassLoader classLoader,
        @Nullable String bearerToken,
        Duration connectTimeout,
        Duration requestTimeout,
        boolean push,
        HostName host,
        TimeSource time) {

    /** Checks the values. The token is never named in a message. */
    public RulesSourceSettings {
        positive("connect timeout", connectTimeout);
        positive("request timeout", requestTimeout);
        if (bearerToken != null && !bearerToken.matches("[A-Za-z0-9._~+/-]+=*")) {
            throw new IllegalArgumentException("the bearer token holds characters that RFC 6750 does not allow in one:"
                    + " give the token alone, without 'Bearer', quotes, spaces or line breaks");
        }
    }

    /**
     * Settings without a token, with 2 s to connect and 5 s for a request, with push, under the machine's name.
     *
     * @param classLoader where {@code classpath:} locations are looked for; null for the one of this library
     * @return the settings
     */
    public static RulesSourceSettings of(@Nullable ClassLoader classLoader) {
        return new RulesSourceSettings(
                classLoader,
                null,
                Duration.ofSeconds(2),
                Duration.ofSeconds(5),
                true,
                HostName.ofMachine(),
                TimeSource.system());
    }

    /**
     * The same settings with another token.
     *
     * @param token the bearer token, or null for none
     * @return the settings
     * @throws IllegalArgumentException if the token holds what a bearer token cannot hold
     */
    public RulesSourceSettings withBearerToken(@Nullable String token) {
        return new RulesSourceSettings(classLoader, token, connectTimeout, requestTimeout, push, host, time);
    }

    /**
     * The same settings with other clocks.
     *
     * @param clocks tell the version of what has no date that can be believed
     * @return the settings
     */
    public RulesSourceSettings withTime(TimeSource clocks) {
        return new RulesSourceSettings(classLoader, bearerToken, connectTimeout, requestTimeout, push, host, clocks);
    }

    /**
     * The same settings with push or without.
     *
     * @param listening whether an HTTP source that pushes changes is listened to
     * @return the settings
     */
    public RulesSourceSettings withPush(boolean listening) {
        return new RulesSourceSettings(classLoader, bearerToken, connectTimeout, requestTimeout, listening, host, time);
    }

    /**
     * The same settings under another name of this host.
     *
     * @param name what an HTTP source is told that this host is called
     * @return the settings
     */
    public RulesSourceSettings withHost(HostName name) {
        return new RulesSourceSettings(classLoader, bearerToken, connectTimeout, requestTimeout, push, name, time);
    }

    /** Hides the token. */
    @Override
    public String toString() {
        return "RulesSourceSettings[bearerToken=" + (bearerToken == null ? "none" : "set") + ", connectTimeout="
                + connectTimeout + ", requestTimeout=" + requestTimeout + "]";
    }

    private static void positive(String what, Duration value) {
        if (value.isZero() || value.isNegative()) {
            throw new IllegalArgumentException("the " + what + " is " + value + ": it must be positive");
        }
    }
}
