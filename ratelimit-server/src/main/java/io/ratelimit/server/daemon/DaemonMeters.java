package io.ratelimit.server.daemon;

import io.micrometer.core.instrument.Timer;
import io.ratelimit.RateLimitListener;
import io.ratelimit.core.metrics.MicrometerListener;
import io.ratelimit.server.meters.ProcessMeters;
import java.time.Duration;

/** The daemon's meters: those of its limiter, and a timer of what it answers over HTTP. Thread-safe. */
final class DaemonMeters implements AnswerWatch {

    private static final int HUNDRED = 100;

    private final ProcessMeters process;

    DaemonMeters(ProcessMeters process) {
        this.process = process;
    }

    RateLimitListener listener() {
        return new MicrometerListener(process.registry());
    }

    @Override
    public void answered(String path, int status, long begin) {
        Timer.builder("ratelimit.daemon.requests")
                .description("Time of a request until its answer is ready")
                .tag("path", path)
                .tag("status", status / HUNDRED + "xx")
                .register(process.registry())
                .record(Duration.ofNanos(System.nanoTime() - begin));
    }
}
