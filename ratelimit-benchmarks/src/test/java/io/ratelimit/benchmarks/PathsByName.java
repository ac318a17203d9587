package io.ratelimit.benchmarks;

import java.util.function.Function;

/** Starts a path by its name: the way in for whoever loaded this class by another loader than his own. */
public final class PathsByName implements Function<String, Runnable> {

    @Override
    public Runnable apply(String path) {
        return GuardedPath.valueOf(path).start(new SteppingClocks());
    }
}
