package io.ratelimit.benchmarks.simulation;

import java.util.List;

/** A process that simulates once and prints what was found as a line. */
final class SimulationProcess {

    private SimulationProcess() {}

    /**
     * Simulates.
     *
     * @param args the scenario, as on the command line
     */
    public static void main(String[] args) {
        System.out.println(new Simulation(Scenario.of(List.of(args))).run().toLine());
    }
}
