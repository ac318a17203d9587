package io.ratelimit.benchmarks.scale;

import io.ratelimit.benchmarks.TestedLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** All that is measured. Immutable. */
final class ScalePlan {

    /**
     * A measurement that is to be made.
     *
     * @param name how it is chosen, such as {@code heap.ourStore.1000000}
     * @param jvmFlags flags of the process that makes it
     * @param trial makes it
     */
    record Planned(String name, List<String> jvmFlags, Trial trial) {}

    /** A heap that the machine has provided before anything is measured, as that of a server which has run for long. */
    private static final List<String> JVM_FLAGS = List.of("-Xms4g", "-Xmx4g", "-XX:+AlwaysPreTouch", "-XX:+UseG1GC");

    /** For what is counted and not timed. */
    private static final List<String> JVM_FLAGS_FOR_MEMORY = List.of("-Xms2g", "-Xmx2g", "-XX:+UseG1GC");

    private final List<Planned> all = new ArrayList<>();
    private final ScaleEffort effort;

    private ScalePlan(ScaleEffort effort) {
        this.effort = effort;
    }

    static List<Planned> of(ScaleEffort effort) {
        ScalePlan plan = new ScalePlan(effort);
        plan.addHeap();
        plan.addCalls();
        plan.addLimits();
        plan.addDecisions();
        return List.copyOf(plan.all);
    }

    private void addHeap() {
        add("heap.nothing", new HeapTrial(Population::ofNobody, 1));
        for (int clients : List.of(effort.many(), effort.most())) {
            add("heap.ourStore." + clients, new HeapTrial(Population::ofStore, clients));
            add("heap.gcraInMap." + clients, new HeapTrial(Population::ofMap, clients));
        }
        add("heap.ebb", new EbbTrial(effort.most()));
    }

    private void addCalls() {
        for (int live : List.of(effort.many(), effort.most())) {
            Schedule schedule = effort.schedule(live);
            add("churn.nothing." + live, new ChurnTrial(Population::ofNobody, schedule, effort.churn()));
            add("churn.ourStore." + live, new ChurnTrial(Population::ofStore, schedule, effort.churn()));
        }
        add("growth.nothing", new GrowthTrial(Population::ofNobody, effort.most()));
        add("growth.ourStore", new GrowthTrial(Population::ofStore, effort.most()));
        add("growth.gcraInMap", new GrowthTrial(Population::ofMap, effort.most()));
    }

    private void addLimits() {
        for (LimitKind kind : LimitKind.values()) {
            String name = kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
            add("limits." + name, JVM_FLAGS_FOR_MEMORY, new LimitTrial(kind, effort.clientsOf(kind)));
        }
    }

    private void addDecisions() {
        List<Threads> oneAndTwo = List.of(effort.threads(1), effort.threads(2));
        add("decisions.oneLimit", new DecisionTrial(List.of(TestedLimits.KEEPS_CLIENTS), effort.many(), oneAndTwo));
        add(
                "decisions.twoLimits",
                new DecisionTrial(
                        List.of(TestedLimits.KEEPS_CLIENTS, TestedLimits.NEVER_REFUSES_EITHER),
                        effort.many(),
                        oneAndTwo));
        List<Threads> upToEight = List.of(effort.threads(1), effort.threads(2), effort.threads(4), effort.threads(8));
        for (HotKey key : HotKey.values()) {
            add("hotKey." + key.title(), new HotKeyTrial(key, upToEight));
        }
    }

    private void add(String name, Trial trial) {
        add(name, JVM_FLAGS, trial);
    }

    private void add(String name, List<String> jvmFlags, Trial trial) {
        all.add(new Planned(name, jvmFlags, trial));
    }

    /** The flags, as the report says them. */
    static String flags() {
        return String.join(" ", JVM_FLAGS) + "; for memory by limit " + String.join(" ", JVM_FLAGS_FOR_MEMORY);
    }
}
