package io.ratelimit.server.traffic.replay;

/** What became of a request, or what one rule made of it. */
enum Fate {
    ALLOWED,
    /** It passes at its turn. */
    WAITING,
    REFUSED,
    /** It passes, though a shadow rule would have refused it. */
    SHADOW,
    /** The rule would have let it pass, but another one refused it. */
    REFUSED_BY_ANOTHER
}
