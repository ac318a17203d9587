package io.ratelimit.core.match;

import java.util.Locale;

/** The method that a request's method counts as, for rules and for whoever asks whether two requests do the same. */
public final class CountedMethod {

    private CountedMethod() {}

    /**
     * The method in upper case, so that no lenient container lets one past; {@code HEAD} runs the code of {@code GET} (RFC
     * 9110 section 9.3.2).
     *
     * @param method a method as it was sent
     * @return the method that it counts as
     */
    public static String of(String method) {
        String upper = method.toUpperCase(Locale.ROOT);
        return upper.equals("HEAD") ? "GET" : upper;
    }
}
