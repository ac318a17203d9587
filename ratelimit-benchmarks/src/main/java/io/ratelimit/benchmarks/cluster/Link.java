package io.ratelimit.benchmarks.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * One direction of a connection between two hosts: reads what one sends, and writes it to the other when it is due. What is
 * lost comes once the wire is whole again, as TCP sends it anew: meanwhile the connection stays and nothing comes. Two
 * threads of its own.
 */
final class Link {

    private static final int BUFFER = 64 * 1024;
    private static final long LOOK_NANOS = 5_000_000;

    /** Bytes and when they are to arrive; none for the end. */
    private record Chunk(ByteBuffer bytes, long dueNanos) {}

    private final int from;
    private final int to;
    private final Socket source;
    private final Socket target;
    private final Weather weather;
    private final BlockingQueue<Chunk> underWay = new LinkedBlockingQueue<>();

    /**
     * Makes a direction.
     *
     * @param weather what becomes of what is sent
     */
    Link(int from, Socket source, int to, Socket target, Weather weather) {
        this.from = from;
        this.to = to;
        this.source = source;
        this.target = target;
        this.weather = weather;
    }

    void start() {
        daemon(this::read, "read");
        daemon(this::write, "write");
    }

    private void daemon(Runnable work, String what) {
        Thread thread = new Thread(work, "proxy-" + from + "-" + to + "-" + what);
        thread.setDaemon(true);
        thread.start();
    }

    private void read() {
        byte[] buffer = new byte[BUFFER];
        long lastDue = System.nanoTime();
        try (InputStream in = source.getInputStream()) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                long now = System.nanoTime();
                lastDue = Math.max(lastDue, now + weather.delayNanos(from, to));
                underWay.add(new Chunk(ByteBuffer.wrap(Arrays.copyOf(buffer, count)), lastDue));
            }
        } catch (IOException e) {
            // The one end has closed: so does the other.
        }
        underWay.add(new Chunk(ByteBuffer.allocate(0), lastDue));
    }

    /** What comes while the wire is cut waits, as TCP sends it again; if that is too long, the hosts have given up. */
    private void write() {
        try (OutputStream out = target.getOutputStream()) {
            for (Chunk next = underWay.take(); next.bytes().hasRemaining(); next = underWay.take()) {
                long left = next.dueNanos() - System.nanoTime();
                if (left > 0) {
                    TimeUnit.NANOSECONDS.sleep(left);
                }
                while (weather.isLost(from, to)) {
                    TimeUnit.NANOSECONDS.sleep(LOOK_NANOS);
                }
                out.write(next.bytes().array());
                out.flush();
            }
        } catch (IOException e) {
            // As above.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        closeQuietly(source);
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It was closed already.
        }
    }
}
