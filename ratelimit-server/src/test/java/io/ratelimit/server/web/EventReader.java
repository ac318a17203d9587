package io.ratelimit.server.web;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Reads a stream of events, each as the lines that it came in. */
public final class EventReader implements AutoCloseable {

    private final InputStream stream;
    private final Thread reader;
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

    EventReader(HttpResponse<InputStream> response) {
        if (response.statusCode() != 200) {
            throw new AssertionError("status " + response.statusCode());
        }
        stream = response.body();
        reader = new Thread(this::read, "events");
        reader.setDaemon(true);
        reader.start();
    }

    private void read() {
        StringBuilder event = new StringBuilder();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.isEmpty()) {
                    event.append(line).append('\n');
                } else if (event.length() > 0) {
                    events.add(event.toString());
                    event.setLength(0);
                }
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    /** The next event that is more than a sign of life. */
    public String next(Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        while (true) {
            String event = events.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (event == null) {
                throw new AssertionError("no event within " + patience);
            }
            if (!event.startsWith(":")) {
                return event;
            }
        }
    }

    /** Waits until the service ends the stream, and fails if it tells anything but signs of life till then. */
    public void awaitEnd(Duration patience) throws InterruptedException {
        reader.join(patience.toMillis());
        if (reader.isAlive()) {
            throw new AssertionError("the stream is open after " + patience);
        }
        if (events.stream().anyMatch(event -> !event.startsWith(":"))) {
            throw new AssertionError("events " + events);
        }
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}
