package io.ratelimit.benchmarks.scale;

import java.time.Duration;

/** How much a run measures. */
enum ScaleEffort {
    /** About 17 minutes. */
    FULL(1_000_000, 10_000_000, 10_000, 100_000, Duration.ofSeconds(75), 5, Duration.ofSeconds(1)),
    /** About 6 minutes: a tenth of the clients, good to see that everything runs. */
    QUICK(100_000, 1_000_000, 1_000, 100_000, Duration.ofSeconds(5), 3, Duration.ofMillis(300)),
    /** Some seconds. */
    LEAST(2_000, 20_000, 100, 10_000, Duration.ofMillis(200), 1, Duration.ofMillis(20));

    private final int many;
    private final int most;
    private final int ofLogs;
    private final int newcomersPerSecond;
    private final Duration churn;
    private final int rounds;
    private final Duration round;

    ScaleEffort(int many, int most, int ofLogs, int newcomersPerSecond, Duration churn, int rounds, Duration round) {
        this.many = many;
        this.most = most;
        this.ofLogs = ofLogs;
        this.newcomersPerSecond = newcomersPerSecond;
        this.churn = churn;
        this.rounds = rounds;
        this.round = round;
    }

    /** Many clients. */
    int many() {
        return many;
    }

    /** Ten times as many. */
    int most() {
        return most;
    }

    /** How many clients of a kind of limit: fewer where each takes some thousand bytes. */
    int clientsOf(LimitKind kind) {
        return kind == LimitKind.LOG ? ofLogs : many;
    }

    /** How clients come and go. */
    Schedule schedule(int live) {
        return new Schedule(live, newcomersPerSecond);
    }

    /** How long they come and go while it is measured. */
    Duration churn() {
        return churn;
    }

    Threads threads(int count) {
        return new Threads(count, rounds, round);
    }
}
