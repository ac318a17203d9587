package io.ratelimit.server.traffic;

/** What a rule made of a request, with its place among the counts of a slot. */
enum Outcome {
    ALLOWED(0),
    REFUSED(1),
    /** A shadow rule would have refused it. */
    SHADOW(2);

    static final int COUNT = values().length;

    private final int place;

    Outcome(int place) {
        this.place = place;
    }

    int place() {
        return place;
    }
}
