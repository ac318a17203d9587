package io.ratelimit.server.rules;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.regex.Pattern;

/**
 * The name of a service whose requests are limited, as rules documents say it.
 *
 * @param text the name
 */
public record ServiceName(@JsonValue String text) implements Comparable<ServiceName> {

    private static final int LONGEST = 100;

    /** As in rules documents, and never a path segment with a meaning of its own. */
    private static final Pattern VALID = Pattern.compile("(?!\\.{1,2}$)[A-Za-z0-9._-]+");

    /**
     * Checks the name.
     *
     * @throws IllegalArgumentException if it is none
     */
    public ServiceName {
        if (text.length() > LONGEST || !VALID.matcher(text).matches()) {
            throw new IllegalArgumentException("a service's name is made of 1 to " + LONGEST
                    + " letters, digits, '.', '_' and '-', and is neither '.' nor '..'");
        }
    }

    @Override
    public int compareTo(ServiceName other) {
        return text.compareTo(other.text);
    }

    @Override
    public String toString() {
        return text;
    }
}
