package io.ratelimit.benchmarks.scale;

import java.io.PrintStream;

/** A process that makes one measurement of a plan and prints its rows. */
final class ScaleProcess {

    private ScaleProcess() {}

    /**
     * Measures.
     *
     * @param args the effort and the measurement's name
     * @throws InterruptedException if the thread is interrupted meanwhile
     */
    public static void main(String[] args) throws InterruptedException {
        print(ScaleEffort.valueOf(args[0]), args[1], System.out);
    }

    private static void print(ScaleEffort effort, String name, PrintStream out) throws InterruptedException {
        for (ScalePlan.Planned planned : ScalePlan.of(effort)) {
            if (planned.name().equals(name)) {
                planned.trial().measure().forEach(row -> out.println(row.toLine()));
            }
        }
    }
}
