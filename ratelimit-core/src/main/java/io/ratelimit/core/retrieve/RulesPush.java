package io.ratelimit.core.retrieve;

import io.ratelimit.core.retrieve.RulesStatus.Push;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Listens to a rules service on one daemon thread, at the link that the service names, for as long as it names it. */
final class RulesPush implements AutoCloseable {

    private static final Duration FAREWELL = Duration.ofMillis(300);

    private final Function<HttpLocation, PushLoop> loops;
    private @Nullable HttpLocation link;
    private volatile @Nullable PushLoop loop;
    private @Nullable Thread thread;
    private boolean closed;

    RulesPush(Function<HttpLocation, PushLoop> loops) {
        this.loops = loops;
    }

    /** Listens at a link from now on, or nowhere. */
    synchronized void follow(Optional<HttpLocation> named) {
        HttpLocation wanted = named.orElse(null);
        if (closed || Objects.equals(wanted, link)) {
            return;
        }
        end();
        link = wanted;
        if (wanted != null) {
            begin(wanted);
        }
    }

    Push state() {
        PushLoop now = loop;
        return now == null ? Push.NONE : now.state();
    }

    @Override
    public synchronized void close() {
        closed = true;
        end();
    }

    private void begin(HttpLocation wanted) {
        PushLoop begun = loops.apply(wanted);
        Thread created = new Thread(begun, "ratelimit-rules-push");
        created.setDaemon(true);
        created.start();
        loop = begun;
        thread = created;
    }

    private void end() {
        PushLoop before = loop;
        Thread running = thread;
        loop = null;
        thread = null;
        if (before == null || running == null) {
            return;
        }
        before.stop();
        running.interrupt();
        try {
            TimeUnit.NANOSECONDS.timedJoin(running, FAREWELL.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
