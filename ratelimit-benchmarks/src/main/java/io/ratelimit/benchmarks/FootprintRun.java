package io.ratelimit.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Measures the memory of tables, each in a process of its own. */
final class FootprintRun {

    private static final String RESULT = "footprint ";
    private static final int NUMBERS = 3;

    /** JOL asks the virtual machine for sizes, and looks into records itself. */
    private static final List<String> FOR_JOL =
            List.of("-Djdk.attach.allowAttachSelf=true", "-Djol.magicFieldOffset=true");

    private final ForkedProgram program;
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
        List<String> flags = new ArrayList<>(jvmFlags);
        flags.addAll(FOR_JOL);
        this.program = new ForkedProgram(FootprintProcess.class, flags);
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
        String said = program.run(List.of(table.name(), Integer.toString(clients)));
        return said.lines()
                .filter(line -> line.startsWith(RESULT))
                .map(line -> footprint(table, line.substring(RESULT.length()).split(" ", NUMBERS)))
                .findFirst()
                .orElseThrow(() -> new IOException("the process that measures " + table + " said: " + said));
    }

    private Footprint footprint(Table table, String[] numbers) {
        return new Footprint(
                table.title(),
                clients,
                Double.parseDouble(numbers[0]),
                Double.parseDouble(numbers[1]),
                Double.parseDouble(numbers[2]));
    }
}
