package io.ratelimit.core.http;

import io.ratelimit.LimitStatus;
import java.text.MessageFormat;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What refusals say in one language. Thread-safe. */
final class MessageTexts {

    /** A limit has too few tokens, and time brings them. */
    static final String EXCEEDED = "exceeded";

    /** A limit has no room, and only requests that end make some. */
    static final String BUSY = "busy";

    /** A limit never admits the request. */
    static final String NEVER = "never";

    /** The limits could not be asked. */
    static final String UNAVAILABLE = "unavailable";

    private final Map<String, MessageFormat> formats;

    /**
     * Takes texts that {@link #check} has found good.
     *
     * @param texts one for each of the keys
     */
    MessageTexts(Locale locale, Map<String, String> texts) {
        this.formats = Map.of(
                EXCEEDED, format(locale, texts, EXCEEDED),
                BUSY, format(locale, texts, BUSY),
                NEVER, format(locale, texts, NEVER),
                UNAVAILABLE, format(locale, texts, UNAVAILABLE));
    }

    /**
     * Checks that a text can be told, now and not when a refusal needs it.
     *
     * @throws IllegalArgumentException if it cannot
     */
    static void check(Locale locale, String text) {
        format(new MessageFormat(text, locale), "rule", "1 per 1s", 1);
    }

    /** What a refusal says of the limit that decided, or of none. */
    String of(@Nullable LimitStatus deciding) {
        if (deciding == null) {
            return format(UNAVAILABLE, "", "", 1);
        }
        String limit = deciding.limit().toString();
        long wait = Waits.untilAdmitted(deciding.state());
        if (wait != Waits.NONE) {
            return format(EXCEEDED, deciding.policy(), limit, wait);
        }
        return format(Waits.isTimed(deciding.limit()) ? NEVER : BUSY, deciding.policy(), limit, 1);
    }

    private String format(String key, String policy, String limit, long wait) {
        MessageFormat format = formats.get(key);
        // A copy, because formats are not thread-safe.
        return format == null ? "" : format((MessageFormat) format.clone(), policy, limit, wait);
    }

    /** The wait is there as a text too, which has no separators of thousands. */
    private static String format(MessageFormat format, String policy, String limit, long wait) {
        return format.format(new Object[] {policy, limit, Long.toString(wait), wait});
    }

    private static MessageFormat format(Locale locale, Map<String, String> texts, String key) {
        return new MessageFormat(texts.getOrDefault(key, ""), locale);
    }
}
