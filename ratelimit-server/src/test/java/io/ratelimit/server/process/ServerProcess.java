package io.ratelimit.server.process;

import io.ratelimit.server.web.RunningService;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** The rules service or a daemon, as a user runs it: {@code java -jar ratelimit-server.jar …}. */
final class ServerProcess implements AutoCloseable {

    static final String ADMIN = "rlt_" + "0123456789abcdef".repeat(4);

    /** What callers and operators of a daemon with tokens say. */
    static final String TOKEN = "0123456789abcdefghijklmn";

    private final ProcessBuilder builder;
    private final Path log;
    private final List<String> said = new ArrayList<>();
    private Process process;
    private URI url;

    private ServerProcess(ProcessBuilder builder, Path log) throws IOException {
        this.builder = builder;
        this.log = log;
        run();
    }

    /** The rules service, on a port of its own. */
    static ServerProcess start(Path directory, String... flags) throws IOException {
        return start(directory, "rules", flags);
    }

    /** A daemon, on a port of its own. */
    static ServerProcess daemon(Path directory, String... flags) throws IOException {
        return start(directory, "daemon", flags);
    }

    /** A daemon at a port that is known before it is ready. */
    static ServerProcess daemonAt(int port, Path directory, String... flags) throws IOException {
        return start(port, directory, "daemon", flags);
    }

    /** A daemon by these rules, which {@link #TOKEN} opens to callers and operators. */
    static ServerProcess daemonWithTokens(Path directory, String rules, String... flags) throws IOException {
        Files.writeString(directory.resolve("rules.yaml"), rules);
        Files.writeString(directory.resolve("tokens"), TOKEN + "\n");
        List<String> all = new ArrayList<>(
                List.of("--rules", "rules.yaml", "--token-file", "tokens", "--operator-token-file", "tokens"));
        all.addAll(List.of(flags));
        return daemon(directory, all.toArray(String[]::new));
    }

    private static ServerProcess start(Path directory, String name, String... flags) throws IOException {
        return start(0, directory, name, flags);
    }

    private static ServerProcess start(int port, Path directory, String name, String... flags) throws IOException {
        Path log = Files.createTempFile(directory, name, ".log");
        List<String> all = new ArrayList<>(List.of("--port", Integer.toString(port)));
        all.addAll(List.of(flags));
        return new ServerProcess(builder(directory, log, name, all), log);
    }

    private void run() throws IOException {
        process = builder.start();
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        said.clear();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            // A daemon without rules listens, and is not ready.
            if (line.startsWith("READY ") || line.startsWith("LISTENING ")) {
                url = URI.create(line.split(" ", 3)[1]);
                return;
            }
            said.add(line);
        }
        process.destroyForcibly();
        throw new AssertionError("no READY\n" + log());
    }

    /** Kills it, and starts it again with the same flags at the same port. */
    void restart() throws IOException, InterruptedException {
        kill();
        List<String> command = builder.command();
        command.set(command.indexOf("--port") + 1, Integer.toString(port()));
        run();
    }

    private static ProcessBuilder builder(Path directory, Path log, String name, List<String> flags) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                Path.of(System.getProperty("server.jar")).toAbsolutePath().toString(),
                name,
                "--until-input-ends"));
        command.addAll(flags);
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.environment().put("RATELIMIT_ADMIN_TOKEN", ADMIN);
        return builder.redirectError(Redirect.appendTo(log.toFile()));
    }

    /** A daemon that is starting, and that whoever asked for it ends. */
    static Process startingDaemon(Path directory, String... flags) throws IOException {
        Path log = Files.createTempFile(directory, "starting", ".log");
        return builder(directory, log, "daemon", List.of(flags)).start();
    }

    /** How a process ended that did not start, and what it said. */
    record Refusal(int status, String message) {}

    /** Runs a daemon that cannot start. */
    static Refusal refusedDaemon(Path directory, String... flags) throws IOException, InterruptedException {
        Path log = Files.createTempFile(directory, "refused", ".log");
        Process process = builder(directory, log, "daemon", List.of(flags)).start();
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
            throw new AssertionError("it has not ended\n" + Files.readString(log));
        }
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Refusal(process.exitValue(), out + Files.readString(log));
    }

    /** Speaks to the service as its admin. */
    RunningService client() {
        return RunningService.elsewhere(url, ADMIN);
    }

    URI url() {
        return url;
    }

    int port() {
        return url.getPort();
    }

    /** The meters of a daemon with tokens. */
    String metrics() throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(url.resolve("/metrics"))
                .header("Authorization", "Bearer " + TOKEN)
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    }

    /** What it has printed before it was ready. */
    List<String> said() {
        return said;
    }

    /** What it has logged until now. */
    String log() throws IOException {
        return Files.readString(log);
    }

    /** The processor time that the process has used. */
    Duration processorTime() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** The memory that the process has now, in MiB. */
    long residentMebibytes() throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
                .findFirst()
                .orElse(-1);
    }

    /** As {@code kill -9} does. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Lets it do nothing until it is thawed; its connections stay. Each of its threads stands when this returns. */
    void freeze() throws IOException, InterruptedException {
        signal("STOP");
        Awaitility.await().pollInterval(Duration.ofMillis(1)).until(this::isFrozen);
    }

    /** A signal is sent in a moment, and stops the threads one by one. */
    private boolean isFrozen() throws IOException {
        try (DirectoryStream<Path> threads =
                Files.newDirectoryStream(Path.of("/proc", Long.toString(process.pid()), "task"))) {
            for (Path thread : threads) {
                String stat = Files.readString(thread.resolve("stat"));
                // The name, in brackets, may hold anything; the state comes next.
                if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
                    return false;
                }
            }
        }
        return true;
    }

    void thaw() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        int status = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
        if (status != 0) {
            throw new AssertionError("kill -" + name + " ended with " + status);
        }
    }

    /** As it ends with the process that has started it. */
    int endInput() throws IOException, InterruptedException {
        process.getOutputStream().close();
        return awaitEnd();
    }

    /** As an operator stops it. */
    int stop() throws IOException, InterruptedException {
        signal("TERM");
        return awaitEnd();
    }

    private int awaitEnd() throws InterruptedException {
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
            throw new AssertionError("it has not stopped within 10 s");
        }
        return process.exitValue();
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
