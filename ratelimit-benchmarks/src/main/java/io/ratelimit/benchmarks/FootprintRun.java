package io.ratelimit.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Measures the memory of tables, each in a process of its own. */
final class FootprintRun {

    private static final String RESULT = "footprint ";
    private static final int NUMBERS = 3;

    private final List<String> jvmFlags;
    private final int clients;
    private final PrintStream progress;

    /**
     * Makes a run.
     *
     * @param jvmFlags flags of the processes that measure
     * @param clients how many clients each table has
     * @param progress where it says what it does
     */
    FootprintRun(List<String> jvmFlags, int clients, PrintStream progress) {
        this.jvmFlags = List.copyOf(jvmFlags);
        this.clients = clients;
        this.progress = progress;
    }

    /**
     * Measures.
     *
     * @param wanted which tables, by name
     * @throws IOException if a process cannot be started or does not measure
     * @throws InterruptedException if the thread is interrupted meanwhile
     */
    List<Footprint> measure(Predicate<String> wanted) throws IOException, InterruptedException {
        List<Footprint> footprints = new ArrayList<>();
        for (Table table : Table.values()) {
            if (wanted.test("memory." + table.title())) {
                progress.println("# Memory: " + table.title());
                footprints.add(measure(table));
            }
        }
        return footprints;
    }

    private Footprint measure(Table table) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command(table))
                .redirectError(Redirect.INHERIT)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = process.waitFor();
        return said.lines()
                .filter(line -> code == 0 && line.startsWith(RESULT))
                .map(line -> footprint(table, line.substring(RESULT.length()).split(" ", NUMBERS)))
                .findFirst()
                .orElseThrow(() -> new IOException(
                        "the process that measures " + table + " ended with " + code + " and said: " + said));
    }

    private Footprint footprint(Table table, String[] numbers) {
        return new Footprint(
                table.title(),
                clients,
                Double.parseDouble(numbers[0]),
                Double.parseDouble(numbers[1]),
                Double.parseDouble(numbers[2]));
    }

    private List<String> command(Table table) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmFlags);
        // JOL asks the virtual machine for sizes, and looks into records itself.
        command.add("-Djdk.attach.allowAttachSelf=true");
        command.add("-Djol.magicFieldOffset=true");
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(FootprintProcess.class.getName());
        command.add(table.name());
        command.add(Integer.toString(clients));
        return command;
    }
}
