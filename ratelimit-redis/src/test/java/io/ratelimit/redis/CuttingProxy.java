package io.ratelimit.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands before a server, and at times loses a reply with the connection it comes on, after the server has done its work. */
final class CuttingProxy implements AutoCloseable {

    private final ServerSocket listener;
    private final int serverPort;
    private final AtomicInteger cut = new AtomicInteger();
    private volatile double share;

    CuttingProxy(int serverPort) {
        this.serverPort = serverPort;
        try {
            this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::accept);
    }

    String uri() {
        return "redis://127.0.0.1:" + listener.getLocalPort();
    }

    /** From now on, this share of all replies is lost. */
    void lose(double shareOfReplies) {
        share = shareOfReplies;
    }

    /** How many connections were cut. */
    int cut() {
        return cut.get();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
                start(() -> pump(client, server, false));
                start(() -> pump(server, client, true));
            } catch (IOException e) {
                // Closed, or the server is away: the next attempt tells.
            }
        }
    }

    private void pump(Socket from, Socket to, boolean replies) {
        Random random = new Random();
        byte[] buffer = new byte[65_536];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                if (replies && random.nextDouble() < share) {
                    cut.incrementAndGet();
                    return;
                }
                out.write(buffer, 0, count);
            }
        } catch (IOException e) {
            // The other direction has ended.
        }
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "cutting-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
