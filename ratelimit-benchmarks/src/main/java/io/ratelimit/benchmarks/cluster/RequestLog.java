package io.ratelimit.benchmarks.cluster;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Writes requests to a file as soon as they are answered, so that those of a process that is killed are known too. Takes
 * them from any thread; used by one otherwise.
 */
final class RequestLog implements AutoCloseable {

    private static final long PAUSE_MILLIS = 50;

    private final BlockingQueue<Request> waiting = new LinkedBlockingQueue<>();
    private final DataOutputStream out;
    private final Thread writer = new Thread(this::write, "request-log");
    private volatile boolean closed;

    RequestLog(Path file) throws IOException {
        this.out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)));
        writer.start();
    }

    void add(Request request) {
        waiting.add(request);
    }

    private void write() {
        try (out) {
            while (!closed || !waiting.isEmpty()) {
                Request next = waiting.poll(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
                for (; next != null; next = waiting.poll()) {
                    next.writeTo(out);
                }
                out.flush();
            }
        } catch (IOException e) {
            System.err.println("the requests could not be written: " + e);
            System.exit(1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns when all is written. */
    @Override
    public void close() {
        closed = true;
        try {
            writer.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
