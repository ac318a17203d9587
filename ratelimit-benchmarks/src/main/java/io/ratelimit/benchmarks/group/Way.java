package io.ratelimit.benchmarks.group;

/** What a decision asks for. */
enum Way {
    HOST("/host", "`host`"),
    EVENTUAL("/eventual", "`eventual`, telling 10,000 keys");

    private final String path;
    private final String title;

    Way(String path, String title) {
        this.path = path;
        this.title = title;
    }

    String path() {
        return path;
    }

    String title() {
        return title;
    }
}
