package io.ratelimit.server.daemon;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The daemon's paths. Filled once, then only read. */
final class Routes {

    /**
     * One path.
     *
     * @param methods the methods it answers; none for all
     * @param access who may ask
     */
    record Route(Set<String> methods, Access access, Endpoint endpoint) {

        boolean answers(String method) {
            return methods.isEmpty() || methods.contains(method);
        }

        String allowed() {
            return String.join(", ", new TreeSet<>(methods));
        }
    }

    private final Map<String, Route> byPath = new TreeMap<>();
    private @Nullable Answer elsewhere;

    Routes get(String path, Access access, Endpoint endpoint) {
        byPath.put(path, new Route(Set.of("GET", "HEAD"), access, endpoint));
        return this;
    }

    Routes post(String path, Access access, Endpoint endpoint) {
        byPath.put(path, new Route(Set.of("POST"), access, endpoint));
        return this;
    }

    Routes any(String path, Access access, Endpoint endpoint) {
        byPath.put(path, new Route(Set.of(), access, endpoint));
        return this;
    }

    /** Answers at all other paths. */
    Routes elsewhere(Answer answer) {
        elsewhere = answer;
        return this;
    }

    @Nullable
    Route find(String path) {
        return byPath.get(path);
    }

    /** The answer where there is no route. */
    Answer missing() {
        return elsewhere != null
                ? elsewhere
                : Answer.problem(404, "there is nothing here; paths are " + String.join(", ", byPath.keySet()));
    }
}
