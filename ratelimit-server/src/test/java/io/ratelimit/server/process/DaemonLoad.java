package io.ratelimit.server.process;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;

/** Callers that ask daemons at a bounded rate, some of them each daemon, and what they were told. */
final class DaemonLoad implements AutoCloseable {

    private static final int CALLERS = 6;
    private static final long PAUSE_MILLIS = 20;

    private final List<Thread> threads = new ArrayList<>();
    private final Queue<Asked> asked = new ConcurrentLinkedQueue<>();
    private volatile boolean over;

    /** What became of a request. */
    enum Outcome {
        PASSED,
        REFUSED,
        /** The buckets could not be asked, and {@code onFailure} let it pass. */
        PASSED_BY_FAILURE,
        REFUSED_BY_FAILURE,
        /** No answer within the caller's deadline. */
        LATE,
        /** Nobody listens. */
        GONE,
        /** A connection broke, or the answer was none. */
        BROKEN;

        boolean passed() {
            return this == PASSED || this == PASSED_BY_FAILURE;
        }

        boolean byFailure() {
            return this == PASSED_BY_FAILURE || this == REFUSED_BY_FAILURE;
        }
    }

    /**
     * A request, and what became of it.
     *
     * @param begin when it was asked, on the clock of {@link System#nanoTime}
     * @param nanos how long the caller waited
     * @param detail what broke, or the status to answer the client with
     */
    record Asked(URI daemon, String path, String user, Outcome outcome, long begin, long nanos, String detail) {

        double millis() {
            return nanos / 1e6;
        }
    }

    private DaemonLoad() {}

    /** Asks from now on, for each of the users and paths by chance. */
    static DaemonLoad start(Duration deadline, List<String> paths, List<String> users, URI... daemons) {
        DaemonLoad load = new DaemonLoad();
        for (URI daemon : daemons) {
            for (int i = 0; i < CALLERS; i++) {
                load.threads.add(new Thread(() -> load.ask(daemon, deadline, paths, users)));
            }
        }
        load.threads.forEach(Thread::start);
        return load;
    }

    private void ask(URI daemon, Duration deadline, List<String> paths, List<String> users) {
        try (Caller caller = new Caller(daemon, deadline)) {
            while (!over) {
                ThreadLocalRandom random = ThreadLocalRandom.current();
                String path = paths.get(random.nextInt(paths.size()));
                asked.add(ask(caller, daemon, path, users.get(random.nextInt(users.size()))));
                Thread.sleep(random.nextLong(2 * PAUSE_MILLIS));
            }
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static Asked ask(Caller caller, URI daemon, String path, String user) {
        long begin = System.nanoTime();
        Outcome outcome;
        String detail = "";
        try {
            JsonNode decision = caller.decide(path, user);
            outcome = outcome(decision);
            detail = decision.path("status").asText();
        } catch (SocketTimeoutException e) {
            outcome = Outcome.LATE;
        } catch (ConnectException e) {
            outcome = Outcome.GONE;
        } catch (IOException e) {
            outcome = Outcome.BROKEN;
            detail = e + " " + e.getCause();
        }
        return new Asked(daemon, path, user, outcome, begin, System.nanoTime() - begin, detail);
    }

    private static Outcome outcome(JsonNode decision) {
        boolean passes = decision.get("allowed").asBoolean();
        if (decision.get("reason").asText().equals("FAILURE")) {
            return passes ? Outcome.PASSED_BY_FAILURE : Outcome.REFUSED_BY_FAILURE;
        }
        return passes ? Outcome.PASSED : Outcome.REFUSED;
    }

    int count() {
        return asked.size();
    }

    /** How many requests for a path a daemon decided by {@code onFailure} until now. */
    long failures(URI daemon, String path) {
        return asked.stream()
                .filter(one -> one.daemon().equals(daemon)
                        && one.path().equals(path)
                        && one.outcome().byFailure())
                .count();
    }

    /** Ends, and tells what was asked. */
    List<Asked> stop() throws InterruptedException {
        over = true;
        for (Thread thread : threads) {
            thread.join();
        }
        return List.copyOf(asked);
    }

    @Override
    public void close() throws InterruptedException {
        stop();
    }
}
