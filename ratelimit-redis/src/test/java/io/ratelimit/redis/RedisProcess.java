package io.ratelimit.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import redis.embedded.core.ExecutableProvider;

/** A real Redis server in a process of its own, which can be frozen, killed and started again on its port. */
public final class RedisProcess implements AutoCloseable {

    private static final Duration START = Duration.ofSeconds(20);

    private final int port;
    private final List<String> command;
    private final Path directory;
    private Process process;

    private RedisProcess(int port, Path directory, List<String> command) {
        this.port = port;
        this.directory = directory;
        this.command = command;
        start();
    }

    /** A server that keeps everything in memory alone. */
    static RedisProcess server(File executable, int port, String... options) {
        Path directory = directory();
        List<String> command = new ArrayList<>(List.of(executable.getPath()));
        command.addAll(List.of("--port", Integer.toString(port), "--bind", "127.0.0.1", "--dir", directory.toString()));
        command.addAll(List.of("--save", "", "--appendonly", "no"));
        command.addAll(List.of(options));
        return new RedisProcess(port, directory, command);
    }

    /** A sentinel that watches a master by itself, and takes a second for dead. */
    static RedisProcess sentinel(File executable, String masterName, int masterPort) {
        Path directory = directory();
        int port = freePort();
        Path file = directory.resolve("sentinel.conf");
        try {
            Files.writeString(file, """
                    port %d
                    bind 127.0.0.1
                    dir %s
                    sentinel monitor %s 127.0.0.1 %d 1
                    sentinel down-after-milliseconds %3$s 1000
                    sentinel failover-timeout %3$s 3000
                    """.formatted(port, directory, masterName, masterPort));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new RedisProcess(port, directory, List.of(executable.getPath(), file.toString(), "--sentinel"));
    }

    private static Path directory() {
        try {
            return Files.createTempDirectory("ratelimit-redis");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Redis 6.2, which comes as a test dependency. */
    public static RedisProcess start62(String... options) {
        return server(executable62(), freePort(), options);
    }

    static File executable62() {
        try {
            return ExecutableProvider.newJarResourceProvider().get();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Redis 7 or later, or Valkey, if this machine has it on its path. */
    static Optional<File> installed() {
        return Stream.of("redis-server", "valkey-server")
                .flatMap(name -> Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                        .map(directory -> new File(directory, name)))
                .filter(File::canExecute)
                .findFirst();
    }

    /** Low enough for the port of the cluster's own talk, ten thousand above it. */
    public static int freePort() {
        for (int port = socketPort(); ; port = socketPort()) {
            if (port < 50_000) {
                return port;
            }
        }
    }

    private static int socketPort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts the process, and again after it was killed. */
    public void start() {
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
                socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
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

    public int port() {
        return port;
    }

    public String uri() {
        return "redis://127.0.0.1:" + port;
    }

    /** Does something on a connection of its own. */
    public <T> T on(Function<RedisCommands<String, String>, T> work) {
        RedisClient client = RedisClient.create(uri());
        try (var connection = client.connect()) {
            return work.apply(connection.sync());
        } finally {
            client.shutdown();
        }
    }

    /** How often a command was run, by scripts too. */
    long calls(String command) {
        String before = "cmdstat_" + command + ":calls=";
        return on(commands -> commands.info("commandstats"))
                .lines()
                .filter(line -> line.startsWith(before))
                .mapToLong(line -> Long.parseLong(line.substring(before.length(), line.indexOf(','))))
                .sum();
    }

    public void freeze() {
        signal("STOP");
    }

    public void thaw() {
        signal("CONT");
    }

    public void kill() {
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
