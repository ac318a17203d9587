package io.ratelimit;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A request that was refused, as a {@link RefusalResponder} sees it. Not thread-safe; made by the limiter alone.
 */
public interface RefusedRequest {

    /**
     * The request.
     *
     * @return the request
     */
    RequestContext context();

    /**
     * The decision that refused it.
     *
     * @return the decision; its {@link Decision#decidingLimit()} is null where the limits could not be asked
     */
    Decision decision();

    /**
     * The status of the answer.
     *
     * @return 400 to 599, most often 429
     */
    int status();

    /**
     * The wait that the answer tells in {@code Retry-After}.
     *
     * @return seconds, at least 1; empty where no waiting can help or nobody knows how long
     */
    OptionalLong retryAfterSeconds();

    /**
     * When the same request would pass, if nobody else spends meanwhile: not after {@link #retryAfterSeconds()}.
     *
     * @return the point in time in whole milliseconds, by the wall clock; empty where no waiting can help or nobody knows
     *     how long
     */
    Optional<Instant> renewal();

    /**
     * What happened and what to do, in the words of the limiter's own answers.
     *
     * @return a sentence in {@link #locale()}
     */
    String message();

    /**
     * The language of {@link #message()}: of those that there are the one that the client likes best.
     *
     * @return the language; English where there is none that the client accepts
     */
    Locale locale();

    /**
     * Chooses a form by {@code Accept} (RFC 9110 section 12.5.1). A type that ends in {@code +json} is acceptable to a
     * client that accepts {@code application/json}.
     *
     * @param types media types, the one to prefer first
     * @return the one of them that the client likes best; the first of several; empty where none is acceptable
     */
    Optional<String> chooseType(List<String> types);

    /**
     * Chooses a language by {@code Accept-Language} (RFC 9110 section 12.5.4, lookup as in RFC 4647 section 3.4).
     *
     * @param languages languages, the one to prefer first
     * @return the one of them that the client likes best; empty where none is acceptable
     */
    Optional<Locale> chooseLanguage(List<Locale> languages);
}
