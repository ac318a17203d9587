package io.ratelimit.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The sample as a user runs it: {@code java -jar sample-app.jar}, with what it prints. */
final class SampleProcess implements AutoCloseable {

    /** More than is promised: a busy machine fails only the test that looks at the time. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final Pattern USED_HEAP = Pattern.compile("used (\\d+)K");

    private final Process process;
    private final long startedAt = System.nanoTime();
    private final List<String> out = new CopyOnWriteArrayList<>();
    private final List<String> err = new CopyOnWriteArrayList<>();
    private final Thread outReader;
    private final Thread errReader;
    private volatile long readyAt;

    private SampleProcess(Process process) {
        this.process = process;
        this.outReader = read(process.getInputStream(), out);
        this.errReader = read(process.getErrorStream(), err);
    }

    static SampleProcess start(String... flags) {
        return start(List.of(), flags);
    }

    static SampleProcess start(List<String> jvmFlags, String... flags) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmFlags);
        command.add("-jar");
        command.add(System.getProperty("sample.jar", "target/sample-app.jar"));
        command.addAll(Arrays.asList(flags));
        try {
            return new SampleProcess(new ProcessBuilder(command).start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for the READY line. */
    SampleProcess awaitReady() {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(() -> isReady() || !process.isAlive());
        assertThat(isReady()).as("READY; standard error: %s", err).isTrue();
        return this;
    }

    /** From the start of the process to its READY line. */
    Duration timeToReady() {
        return Duration.ofNanos(readyAt - startedAt);
    }

    /** The addresses of the READY line. */
    List<String> urls() {
        String ready = out.get(out.size() - 1);
        return Arrays.asList(ready.substring("READY ".length()).split(" "));
    }

    String url() {
        return urls().get(0);
    }

    /** The addresses of the member lines. */
    List<String> members() {
        return out.stream()
                .filter(line -> line.startsWith("member "))
                .map(line -> line.substring("member ".length()))
                .toList();
    }

    List<String> out() {
        return List.copyOf(out);
    }

    List<String> err() {
        return List.copyOf(err);
    }

    /** The warnings and errors that contain a text. */
    List<String> complaints(String text) {
        return err.stream()
                .filter(line -> line.contains(" WARN ") || line.contains(" ERROR "))
                .filter(line -> line.contains(text))
                .toList();
    }

    /** The processes that it has started. */
    List<ProcessHandle> children() {
        return process.children().toList();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** What a full collection leaves of the heap. */
    long usedHeapMegabytes() {
        jcmd("GC.run");
        Matcher used = USED_HEAP.matcher(jcmd("GC.heap_info"));
        assertThat(used.find()).isTrue();
        return Long.parseLong(used.group(1)) / 1024;
    }

    private String jcmd(String command) {
        try {
            Process jcmd = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "jcmd")
                                    .toString(),
                            Long.toString(process.pid()),
                            command)
                    .start();
            return new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends a signal, such as {@code TERM}. */
    void signal(String name) {
        try {
            int status = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
            assertThat(status).isZero();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for the end of the process and of its output, and gives its exit status. */
    int awaitEnd(Duration patience) throws InterruptedException {
        assertThat(process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS))
                .as("ended within %s; standard error: %s", patience, err)
                .isTrue();
        outReader.join();
        errReader.join();
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    private boolean isReady() {
        return readyAt != 0;
    }

    private Thread read(InputStream stream, List<String> lines) {
        Thread reader = new Thread(() -> {
            try (BufferedReader text = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                for (String line = text.readLine(); line != null; line = text.readLine()) {
                    lines.add(line);
                    if (lines == out && line.startsWith("READY ")) {
                        readyAt = System.nanoTime();
                    }
                }
            } catch (IOException e) {
                // The process was ended.
                return;
            }
        });
        reader.setDaemon(true);
        reader.start();
        return reader;
    }
}
