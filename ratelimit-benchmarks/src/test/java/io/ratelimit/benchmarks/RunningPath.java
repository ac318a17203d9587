package io.ratelimit.benchmarks;

import java.util.function.BooleanSupplier;

/**
 * A path with all that it leads through. Of types of the JDK, so that whoever loaded its class by another loader can ask
 * it too. For one thread.
 */
final class RunningPath implements Runnable, AutoCloseable {

    private final Outcome outcome;
    private final BooleanSupplier question;
    private final AutoCloseable engine;

    RunningPath(Outcome outcome, BooleanSupplier question, AutoCloseable engine) {
        this.outcome = outcome;
        this.question = question;
        this.engine = engine;
    }

    void askFirst() {
        question.getAsBoolean();
    }

    /**
     * Asks once.
     *
     * @throws IllegalStateException if the answer is not the path's
     */
    @Override
    public void run() {
        outcome.check("the guarded path", question.getAsBoolean());
    }

    @Override
    public void close() throws Exception {
        engine.close();
    }
}
