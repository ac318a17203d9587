package io.ratelimit.redis;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import redis.embedded.core.ExecutableProvider;

/** A real Redis server in a process of its own, which can be frozen, killed and started again on its port. */
final class RedisProcess implements AutoCloseable {

    private static final Duration START = Duration.ofSeconds(20);

    private final int port;
    private final List<String> command;
    private final Path directory;
    private Process process;

    RedisProcess(File executable, int port, String... options) {
        try {
            this.port = port;
            this.directory = Files.createTempDirectory("ratelimit-redis");
            this.command = new ArrayList<>(List.of(
                    executable.getPath(),
                    "--port",
                    Integer.toString(port),
                    "--bind",
                    "127.0.0.1",
                    "--save",
                    "",
                    "--appendonly",
                    "no",
                    "--dir",
                    directory.toString()));
            command.addAll(List.of(options));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start();
    }

    /** Redis 6.2, which comes as a test dependency. */
    static RedisProcess start62(String... options) {
        return new RedisProcess(executable62(), freePort(), options);
    }

    static File executable62() {
        try {
            return ExecutableProvider.newJarResourceProvider().get();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts the process, and again after it was killed. */
    void start() {
        try {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("log").toFile())
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        awaitAnswer();
    }

    private void awaitAnswer() {
        long end = System.nanoTime() + START.toNanos();
        while (true) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
                socket.getOutputStream().write("PING\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
                if (socket.getInputStream().read() == '+') {
                    return;
                }
            } catch (IOException e) {
                // Not yet.
            }
            if (!process.isAlive() || System.nanoTime() - end > 0) {
                throw new IllegalStateException("no Redis on port " + port + ": " + log());
            }
            pause();
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private String log() {
        try {
            return Files.readString(directory.resolve("log"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    int port() {
        return port;
    }

    String uri() {
        return "redis://127.0.0.1:" + port;
    }

    void freeze() {
        signal("STOP");
    }

    void thaw() {
        signal("CONT");
    }

    void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    private void signal(String name) {
        try {
            new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        kill();
    }
}
