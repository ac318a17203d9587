package io.ratelimit.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Writes to sockets whatever a test says, once for each request. */
final class ScriptedServer implements AutoCloseable {

    /** Answers one request. */
    @FunctionalInterface
    interface Script {

        /**
         * Writes the answer.
         *
         * @return whether the connection stays open
         */
        boolean answer(OutputStream out) throws IOException, InterruptedException;
    }

    private static final Pattern LENGTH = Pattern.compile("(?im)^content-length: *(\\d+)");

    private final ServerSocket server;
    private final CompletableFuture<Void> accepting;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();

    /** Requests as they came. */
    final List<String> requests = new CopyOnWriteArrayList<>();

    final AtomicInteger connections = new AtomicInteger();
    final AtomicInteger ended = new AtomicInteger();
    volatile Script script;

    ScriptedServer(Script script) throws IOException {
        this.script = script;
        server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        accepting = CompletableFuture.runAsync(this::accept, this::start);
    }

    /** Says the same to each request. */
    static Script saying(String text) {
        return out -> {
            out.write(text.getBytes(StandardCharsets.UTF_8));
            return true;
        };
    }

    /** Says the same again and again, until nobody takes it. */
    static Script sayingForever(String begin, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return out -> {
            out.write(begin.getBytes(StandardCharsets.UTF_8));
            while (true) {
                out.write(bytes);
            }
        };
    }

    DaemonAddress address() {
        return DaemonAddress.parse("http://127.0.0.1:" + server.getLocalPort());
    }

    private void start(Runnable work) {
        Thread thread = new Thread(work, "scripted");
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                socket.setTcpNoDelay(true);
                connections.incrementAndGet();
                sockets.add(socket);
                start(() -> serve(socket));
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            boolean isOpen = true;
            while (isOpen && read(socket.getInputStream())) {
                isOpen = script.answer(socket.getOutputStream());
                socket.getOutputStream().flush();
            }
        } catch (IOException | InterruptedException e) {
            // Nobody takes it any more.
        } finally {
            ended.incrementAndGet();
        }
    }

    private boolean read(InputStream in) throws IOException {
        StringBuilder text = new StringBuilder();
        while (text.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                return false;
            }
            text.append((char) next);
        }
        Matcher length = LENGTH.matcher(text);
        byte[] body = in.readNBytes(length.find() ? Integer.parseInt(length.group(1)) : 0);
        requests.add(text + new String(body, StandardCharsets.UTF_8));
        return true;
    }

    @Override
    public void close() throws IOException {
        server.close();
        // The port is open for as long as somebody waits at it.
        accepting.join();
        for (Socket socket : sockets) {
            socket.close();
        }
        threads.forEach(Thread::interrupt);
    }
}
