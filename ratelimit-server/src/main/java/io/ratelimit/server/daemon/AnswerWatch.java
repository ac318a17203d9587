package io.ratelimit.server.daemon;

/** Hears of each answer. Thread-safe. */
@FunctionalInterface
interface AnswerWatch {

    /**
     * Hears of an answer.
     *
     * @param path one of the daemon's own paths, which are few
     * @param begin when the request's header was there, on the clock of {@link System#nanoTime}
     */
    void answered(String path, int status, long begin);
}
