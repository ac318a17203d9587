package io.ratelimit.server.process;

import io.ratelimit.server.web.RunningService;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The service as a user runs it: {@code java -jar ratelimit-server.jar rules}. */
final class ServerProcess implements AutoCloseable {

    static final String ADMIN = "rlt_" + "0123456789abcdef".repeat(4);

    private final Process process;
    private final URI url;
    private final List<String> said;
    private final Path log;

    private ServerProcess(Process process, URI url, List<String> said, Path log) {
        this.process = process;
        this.url = url;
        this.said = said;
        this.log = log;
    }

    static ServerProcess start(Path directory, String... flags) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                Path.of(System.getProperty("server.jar")).toAbsolutePath().toString(),
                "rules",
                "--port",
                "0",
                "--until-input-ends"));
        command.addAll(List.of(flags));
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.environment().put("RATELIMIT_ADMIN_TOKEN", ADMIN);
        Path log = Files.createTempFile(directory, "service", ".log");
        builder.redirectError(log.toFile());
        Process process = builder.start();
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        List<String> said = new ArrayList<>();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith("READY ")) {
                return new ServerProcess(process, URI.create(line.substring("READY ".length())), said, log);
            }
            said.add(line);
        }
        process.destroyForcibly();
        throw new AssertionError("no READY\n" + Files.readString(log));
    }

    /** Speaks to the service as its admin. */
    RunningService client() {
        return RunningService.elsewhere(url, ADMIN);
    }

    URI url() {
        return url;
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

    /** As an operator stops it. */
    int stop() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
            throw new AssertionError("the service has not stopped within 10 s");
        }
        return process.exitValue();
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
