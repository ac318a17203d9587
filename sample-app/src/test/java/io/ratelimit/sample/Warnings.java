package io.ratelimit.sample;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** What Tomcat warns of, until it is closed. */
final class Warnings extends Handler {

    private static final Logger ALL = Logger.getLogger("");

    private final Queue<String> lines = new ConcurrentLinkedQueue<>();

    private Warnings() {
        setLevel(Level.WARNING);
    }

    static Warnings collect() {
        Warnings warnings = new Warnings();
        ALL.addHandler(warnings);
        return warnings;
    }

    List<String> lines() {
        return List.copyOf(lines);
    }

    @Override
    public void publish(LogRecord line) {
        if (isLoggable(line) && line.getLoggerName().startsWith("org.apache.")) {
            lines.add(new SimpleFormatter().format(line));
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        ALL.removeHandler(this);
    }
}
