package io.ratelimit.benchmarks;

/** Benchmarks that are compared with each other: the same work, done by different limiters. */
enum Group {
    HOT_ADMITTED("One hot key, admitted", "gcra"),
    HOT_REFUSED("One hot key, refused", "nanoTime"),
    MILLION_CLIENTS("One of 1,000,000 clients at random", "gcraInMap"),
    HOT_CLIENTS("One of 10,000 clients at random", "gcraInMap"),
    RULES("10,000 rules instead of 10", "tenRules");

    private final String title;
    private final String reference;

    Group(String title, String reference) {
        this.title = title;
        this.reference = reference;
    }

    String title() {
        return title;
    }

    /** The benchmark that the others are given as multiples of. */
    String reference() {
        return reference;
    }
}
