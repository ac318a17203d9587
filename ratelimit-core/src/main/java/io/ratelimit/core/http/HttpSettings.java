package io.ratelimit.core.http;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Which header fields a limited answer carries, and how refusals are worded.
 *
 * @param ietf whether {@code RateLimit-Policy} and {@code RateLimit} are sent
 * @param xRateLimit whether the {@code X-RateLimit-} family is sent
 * @param resetFormat how {@code X-RateLimit-Reset} tells a point in time
 * @param responder the form of refusals that no responder of the application answers
 */
public record HttpSettings(boolean ietf, boolean xRateLimit, ResetFormat resetFormat, AnswerForm responder) {

    /** Both families, with the reset in seconds since the UNIX epoch; refusals are problem details. */
    public static final HttpSettings DEFAULT = new HttpSettings(true, true, ResetFormat.EPOCH_SECONDS);

    /** The settings that {@link #parse} reads. */
    public static final Set<String> NAMES = Set.of("headers", "resetFormat", "responder");

    private static final String IETF = "ietf";
    private static final String X_RATE_LIMIT = "x-ratelimit";
    private static final String NO_HEADERS = "none";

    /**
     * Chooses header fields; refusals are problem details.
     *
     * @param ietf whether {@code RateLimit-Policy} and {@code RateLimit} are sent
     * @param xRateLimit whether the {@code X-RateLimit-} family is sent
     * @param resetFormat how {@code X-RateLimit-Reset} tells a point in time
     */
    public HttpSettings(boolean ietf, boolean xRateLimit, ResetFormat resetFormat) {
        this(ietf, xRateLimit, resetFormat, AnswerForm.PROBLEM);
    }

    /**
     * Reads the settings. {@code headers} is {@code none} or a comma-separated list of {@code ietf} and
     * {@code x-ratelimit}, by default both; {@code resetFormat} is {@code epoch-seconds} (default),
     * {@code epoch-millis} or {@code delta-seconds}; {@code responder} is {@code problem} (default) or {@code envelope}.
     *
     * @param settings values by name; others than {@link #NAMES} are ignored
     * @return the settings
     * @throws IllegalArgumentException if a value is not valid; the message names the setting, the value and what would
     *     be right
     */
    public static HttpSettings parse(Map<String, String> settings) {
        String headers = settings.get("headers");
        String reset = settings.get("resetFormat");
        String responder = settings.get("responder");
        Set<String> families = headers == null ? Set.of(IETF, X_RATE_LIMIT) : families(headers);
        return new HttpSettings(
                families.contains(IETF),
                families.contains(X_RATE_LIMIT),
                reset == null
                        ? ResetFormat.EPOCH_SECONDS
                        : choose("resetFormat", reset, ResetFormat.values(), ResetFormat::word),
                responder == null
                        ? AnswerForm.PROBLEM
                        : choose("responder", responder, AnswerForm.values(), AnswerForm::word));
    }

    /** Whether an allowed answer carries none of the fields. */
    boolean tellsNothing() {
        return !ietf && !xRateLimit;
    }

    private static Set<String> families(String headers) {
        Set<String> families =
                Arrays.stream(headers.split(",", -1)).map(String::strip).collect(Collectors.toSet());
        if (families.equals(Set.of(NO_HEADERS))) {
            return Set.of();
        }
        if (!Set.of(IETF, X_RATE_LIMIT).containsAll(families)) {
            throw new IllegalArgumentException("setting headers is '" + headers
                    + "': it must be 'none', or a comma-separated list of 'ietf' and 'x-ratelimit'");
        }
        return families;
    }

    private static <T> T choose(String setting, String text, T[] choices, Function<T, String> word) {
        return Arrays.stream(choices)
                .filter(choice -> word.apply(choice).equals(text.strip()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("setting " + setting + " is '" + text
                        + "': it must be one of "
                        + Arrays.stream(choices).map(word).collect(Collectors.joining(", "))));
    }
}
