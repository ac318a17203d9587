package io.ratelimit.benchmarks.daemon;

import io.ratelimit.benchmarks.FreePorts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A daemon in a process of its own. */
final class DaemonProcess implements AutoCloseable {

    static final String SERVICE = "bench";

    private static final String RULES = "service: " + SERVICE + """

            rules:
              - { name: users, key: user, limits: [1000000000/s] }
            """;

    private final Process process;
    private final int port;
    private final int grpcPort;
    private final Path socket;

    private DaemonProcess(Process process, int port, int grpcPort, Path socket) {
        this.process = process;
        this.port = port;
        this.grpcPort = grpcPort;
        this.socket = socket;
    }

    static String rules() {
        return RULES;
    }

    /**
     * Starts one.
     *
     * @param jar the server's jar
     * @throws IOException if it does not start
     */
    static DaemonProcess start(Path jar) throws IOException {
        Path directory = Files.createTempDirectory("daemon");
        Path rules = Files.writeString(directory.resolve("rules.yaml"), RULES);
        Path socket = directory.resolve("socket");
        List<Integer> ports = FreePorts.find(2);
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xms512m",
                        "-Xmx512m",
                        "-jar",
                        jar.toString(),
                        "daemon",
                        "--rules",
                        rules.toString(),
                        "--port",
                        ports.get(0).toString(),
                        "--grpc-port",
                        ports.get(1).toString(),
                        "--unix-socket",
                        socket.toString(),
                        "--until-input-ends")
                .redirectError(Redirect.INHERIT)
                .start();
        DaemonProcess daemon = new DaemonProcess(process, ports.get(0), ports.get(1), socket);
        daemon.awaitReady();
        return daemon;
    }

    private void awaitReady() throws IOException {
        BufferedReader said =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            if (line.startsWith("READY ")) {
                return;
            }
        }
        throw new IOException("the daemon has ended with " + process.exitValue());
    }

    int port() {
        return port;
    }

    int grpcPort() {
        return grpcPort;
    }

    Path socket() {
        return socket;
    }

    @Override
    public void close() {
        process.destroy();
    }
}
