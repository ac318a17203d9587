package io.ratelimit.server.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ratelimit.server.web.FreePort;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A real nginx with the configuration of the manual, in which ports, token and places of files alone are other ones. */
final class NginxProcess implements AutoCloseable {

    private final Process process;
    private final int port;
    private final Path log;

    private NginxProcess(Process process, int port, Path log) {
        this.process = process;
        this.port = port;
        this.log = log;
    }

    /** The configuration of the manual, to be changed for one test. */
    record Configuration(String text) {

        static Configuration ofManual(int service, int daemon) throws IOException {
            return new Configuration(ManualPage.named("nginx.md").block("nginx"))
                    .with("127.0.0.1:8080", "127.0.0.1:" + service)
                    .with("127.0.0.1:8601", "127.0.0.1:" + daemon)
                    .with("127.0.0.1:8602", "127.0.0.1:" + FreePort.find())
                    .with("write-your-own-token-here", ServerProcess.TOKEN);
        }

        /** Where it is looked at what the daemon says, and not how long it takes: this machine may be a busy one. */
        Configuration patient() {
            return with("proxy_read_timeout        300ms", "proxy_read_timeout 10s")
                    .with("proxy_connect_timeout     100ms", "proxy_connect_timeout 10s");
        }

        Configuration with(String text, String other) {
            assertThat(this.text).contains(text);
            return new Configuration(this.text.replace(text, other));
        }
    }

    static boolean isInstalled() {
        return Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(place -> Files.isExecutable(Path.of(place, "nginx")));
    }

    static NginxProcess start(Path directory, Configuration configuration) throws IOException {
        Path home = Files.createTempDirectory(directory, "nginx");
        int port = FreePort.find();
        String local = configuration
                .with("127.0.0.1:80;", "127.0.0.1:" + port + ";")
                .with("/var/log/nginx", home.toString())
                .with("http {", "http {\n" + bodies(home))
                .text();
        Path file = Files.writeString(home.resolve("nginx.conf"), local);
        Path errors = home.resolve("error.log");
        List<String> command = List.of(
                "nginx",
                "-p",
                home.toString(),
                "-c",
                file.toString(),
                "-e",
                errors.toString(),
                "-g",
                "daemon off; worker_processes 2; pid " + home.resolve("nginx.pid") + "; user "
                        + System.getProperty("user.name") + ";");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(home.resolve("said.log").toFile())
                .start();
        await().atMost(Duration.ofSeconds(20)).until(() -> !process.isAlive() || isOpen(port));
        assertThat(process.isAlive()).as(() -> text(errors)).isTrue();
        return new NginxProcess(process, port, home.resolve("access.log"));
    }

    /** Where bodies are kept, which is compiled in, and may belong to somebody else. */
    private static String bodies(Path home) {
        StringBuilder paths = new StringBuilder();
        for (String kind : List.of("client_body", "proxy", "fastcgi", "uwsgi", "scgi")) {
            paths.append(kind).append("_temp_path ").append(home.resolve(kind)).append(";\n");
        }
        return paths.toString();
    }

    private static boolean isOpen(int port) {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** A client who comes from an address of this machine. */
    Visit from(String address) {
        return new Visit(address, port);
    }

    /** Its last line. */
    String lastLog() throws IOException {
        List<String> lines = Files.readAllLines(log);
        return lines.get(lines.size() - 1);
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
    }
}
