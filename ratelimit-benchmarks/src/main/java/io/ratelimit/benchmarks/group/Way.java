package io.ratelimit.benchmarks.group;

/** What a decision asks for. */
enum Way {
    HOST("host", "/host", "`host`"),
    EVENTUAL("eventual", "/eventual", "`eventual`, telling 10,000 keys");

    private final String rule;
    private final String path;
    private final String title;

    Way(String rule, String path, String title) {
        this.rule = rule;
        this.path = path;
        this.title = title;
    }

    String rule() {
        return rule;
    }

    String path() {
        return path;
    }

    String title() {
        return title;
    }
}
