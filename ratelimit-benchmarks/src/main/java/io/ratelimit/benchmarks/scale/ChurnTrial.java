package io.ratelimit.benchmarks.scale;

import io.ratelimit.rules.Limit;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.function.LongConsumer;

/**
 * Clients come and go, as many as there are places in a second's schedule: each is new once, comes about once again
 * soon, and is forgotten when its tokens are back. Calls are made at the times of the schedule, however long the one
 * before took.
 */
final class ChurnTrial implements Trial {

    private static final int BURST = 100;

    /** A client lives until its tokens are back, two of them on average; after so many times that, all is settled. */
    private static final int FILLS_UNTIL_SETTLED = 4;

    /** So long, as a part of what is measured, the schedule is kept before. */
    private static final int WARM_UP_PART = 10;

    private final Schedule schedule;
    private final Duration measured;
    private final StoreTime time = new StoreTime();
    private final Population population;
    private final FreshNames names = new FreshNames();
    private final SplittableRandom random = new SplittableRandom(1);
    private final Latencies newcomers = new Latencies();
    private final Latencies known = new Latencies();
    private final Latencies fromSchedule = new Latencies();
    private long clients;

    ChurnTrial(Population.Kind kind, Schedule schedule, Duration measured) {
        this.schedule = schedule;
        this.measured = measured;
        Duration fillsIn = schedule.tokenFillsIn();
        Limit limit = Limit.of(BURST, fillsIn.multipliedBy(BURST));
        this.population = kind.of(limit, 8 * schedule.live(), time);
    }

    @Override
    public List<Row> measure() throws InterruptedException {
        Sweeps before = new Sweeps(population);
        long settled = settle(before);
        run(settled, measured.dividedBy(WARM_UP_PART), time::spinTo);
        newcomers.clear();
        known.clear();
        fromSchedule.clear();
        Sweeps sweeps = new Sweeps(population);
        ExecutorService sweeping = sweeps.start();
        Pauses pauses = Pauses.fromNowOn();
        try {
            run(time.nanoTime(), measured, time::spinTo);
            sweeping.shutdown();
            return rows(sweeps, pauses);
        } finally {
            sweeping.shutdownNow();
        }
    }

    /** Makes the first minutes' calls as fast as can be, with the store's clock put forward; returns when they end. */
    private long settle(Sweeps sweeps) {
        long next = time.nanoTime();
        long end =
                next + schedule.tokenFillsIn().multipliedBy(FILLS_UNTIL_SETTLED).toNanos();
        while (next - end < 0) {
            Duration step = Duration.ofNanos(Math.min(end - next, Sweeps.EVERY.toNanos()));
            run(next, step, time::skipTo);
            sweeps.sweep();
            next += step.toNanos();
        }
        return next;
    }

    private void run(long start, Duration length, LongConsumer waitUntil) {
        long interval = schedule.nanosBetweenCalls();
        long calls = length.toNanos() / interval;
        for (long i = 0; i < calls; i++) {
            long due = start + i * interval;
            waitUntil.accept(due);
            if (i % 2 == 0) {
                call(clients++, newcomers, due);
            } else {
                call(oneWhoIsHere(), known, due);
            }
        }
    }

    /** One of those who came within the time that a token takes, so that none of them is full. */
    private long oneWhoIsHere() {
        return clients - 1 - random.nextLong(Math.min(clients, schedule.live() / 2));
    }

    private void call(long client, Latencies latencies, long due) {
        String name = names.of(client);
        long start = System.nanoTime();
        population.spend(name);
        latencies.add(System.nanoTime() - start);
        fromSchedule.add(time.nanoTime() - due);
    }

    private List<Row> rows(Sweeps sweeps, Pauses pauses) {
        String name = String.format("%s, %,d here: ", population.name(), schedule.live());
        long nanos = measured.toNanos();
        return List.of(
                newcomers.row(name + "a newcomer", nanos),
                known.row(name + "one who is known", nanos),
                fromSchedule.row(name + "any, from when it was due", nanos),
                pauses.addTo(sweeps.addTo(Row.of(Section.BESIDE_CALLS, name + "coming and going"))));
    }
}
