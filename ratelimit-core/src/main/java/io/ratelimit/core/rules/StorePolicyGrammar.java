package io.ratelimit.core.rules;

import io.ratelimit.rules.OnFailure;
import io.ratelimit.rules.Sharing;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The words and the range of how the shared store is used, in rules files and in settings alike. Thread-safe. */
public final class StorePolicyGrammar {

    static final Map<String, Sharing> SHARINGS = words(Sharing.values());
    static final Map<String, OnFailure> FAILURES = words(OnFailure.values());

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private final DurationGrammar durations = new DurationGrammar();

    /** Makes a grammar. */
    public StorePolicyGrammar() {}

    /**
     * Reads how hosts share buckets.
     *
     * @param text the word
     * @return what it stands for
     * @throws IllegalArgumentException if it is another word; the message says which there are
     */
    public Sharing sharing(String text) {
        return meaning(SHARINGS, text);
    }

    /**
     * Reads what answers if the shared store does not.
     *
     * @param text the word
     * @return what it stands for
     * @throws IllegalArgumentException if it is another word; the message says which there are
     */
    public OnFailure onFailure(String text) {
        return meaning(FAILURES, text);
    }

    /**
     * Reads how long the shared store may take.
     *
     * @param text a duration
     * @return 1 ms to 10 s
     * @throws IllegalArgumentException if it is no duration or out of range; the message says what would be right
     */
    public Duration timeout(String text) {
        Duration timeout = durations.parse(text);
        if (timeout.compareTo(SHORTEST) < 0 || timeout.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    Printable.quoted(text) + " is out of range; give a duration between 1ms and 10s");
        }
        return timeout;
    }

    private static <E> E meaning(Map<String, E> words, String text) {
        E meaning = words.get(text);
        if (meaning == null) {
            throw new IllegalArgumentException("it must be one of " + String.join(", ", words.keySet()));
        }
        return meaning;
    }

    private static <E extends Enum<E>> Map<String, E> words(E[] constants) {
        Map<String, E> words = new LinkedHashMap<>();
        for (E constant : constants) {
            words.put(constant.name().toLowerCase(Locale.ROOT), constant);
        }
        return words;
    }
}
