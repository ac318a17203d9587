package io.ratelimit.benchmarks.scale;

import java.util.List;

/** A measurement, to be made once in a process of its own. */
interface Trial {

    /**
     * Measures.
     *
     * @return what was found
     * @throws InterruptedException if the thread is interrupted meanwhile
     */
    List<Row> measure() throws InterruptedException;
}
