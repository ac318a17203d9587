package io.ratelimit.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.Decision;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.QueueingHost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests of clients who wait under rules, by a clock that the test moves. */
class QueuedRequestsTest {

    private final ManualTimeSource time = new ManualTimeSource();
    private final TreeMap<Long, List<Runnable>> alarms = new TreeMap<>();
    private final List<QueueingHost> hosts = new ArrayList<>();
    private final List<Throwable> faults = new ArrayList<>();
    private final List<Long> waiting = new ArrayList<>();
    private final WaitingLines lines = new WaitingLines(time, this::setAlarm, waiting::add, faults::add);
    private final List<String> wentOn = new ArrayList<>();

    private Runnable setAlarm(long nanos, Runnable task) {
        long at = time.nanoTime() + nanos;
        alarms.computeIfAbsent(at, made -> new ArrayList<>()).add(task);
        return () -> alarms.getOrDefault(at, new ArrayList<>()).remove(task);
    }

    private void pass(Duration duration) {
        long end = time.nanoTime() + duration.toNanos();
        while (!alarms.isEmpty() && alarms.firstKey() <= end) {
            time.advance(Duration.ofNanos(Math.max(0, alarms.firstKey() - time.nanoTime())));
            alarms.pollFirstEntry().getValue().forEach(Runnable::run);
        }
        time.advance(Duration.ofNanos(end - time.nanoTime()));
    }

    /** Asks for a request that says its name when it goes on, or is refused. */
    private Turn ask(QueueingHost host, String client, String name) {
        Turn turn = host.ask(lines, client);
        if (turn.mustWait()) {
            await(turn, name);
        } else {
            wentOn.add(turn.decision().allowed() ? name : name + " refused");
        }
        return turn;
    }

    private void await(Turn turn, String name) {
        turn.await(new Waiter() {
            @Override
            public void goOn(Decision decision) {
                wentOn.add(name);
            }

            @Override
            public void turnAway() {
                wentOn.add(name + " turned away");
            }
        });
    }

    private QueueingHost host(String rule) {
        QueueingHost host = new QueueingHost(time, rule);
        hosts.add(host);
        return host;
    }

    @AfterEach
    void closeHosts() {
        hosts.forEach(QueueingHost::close);
    }

    @Test
    void eachGoesOnWhenItsTokenHasCome() {
        QueueingHost host = host("limits: [10/s burst 1], onExceeded: { queue: 10, maxWait: 5s }");
        for (String name : List.of("a", "b", "c")) {
            ask(host, "alice", name);
        }
        assertThat(wentOn).containsExactly("a");
        pass(Duration.ofMillis(99));
        assertThat(wentOn).containsExactly("a");
        pass(Duration.ofMillis(1));
        assertThat(wentOn).containsExactly("a", "b");
        pass(Duration.ofMillis(100));
        assertThat(wentOn).containsExactly("a", "b", "c");
        assertThat(lines.waiting()).isZero();
    }

    @Test
    void nobodyOvertakesThoseInLine() {
        QueueingHost host = host("limits: [10/s burst 1], onExceeded: { queue: 2, maxWait: 5s }");
        for (String name : List.of("a", "b", "c", "d")) {
            ask(host, "alice", name);
        }
        pass(Duration.ofMillis(100));
        // There is a place again, behind the one who waits.
        ask(host, "alice", "e");
        pass(Duration.ofSeconds(1));

        assertThat(wentOn).containsExactly("a", "d refused", "b", "c", "e");
    }

    @Test
    void aClientsLineIsNoMatterOfOthers() {
        QueueingHost host = host("limits: [10/s burst 1], onExceeded: { queue: 1, maxWait: 5s }");
        for (String client : List.of("alice", "bob")) {
            ask(host, client, client + " 1");
            ask(host, client, client + " 2");
            ask(host, client, client + " 3");
        }

        assertThat(wentOn).containsExactly("alice 1", "alice 3 refused", "bob 1", "bob 3 refused");
    }

    @Test
    void noMoreThanTenThousandWaitOnAHostWhateverTheRulesLet() {
        for (int client = 0; client < 10_000; client++) {
            assertThat(lines.reserve(placeOf(client))).isNotNull();
        }
        assertThat(lines.reserve(placeOf(10_000))).isNull();
        assertThat(lines.reserve(placeOf(1))).isNull();
        assertThat(lines.waiting()).isEqualTo(10_000);
    }

    private static List<WantedPlace> placeOf(int client) {
        return List.of(new WantedPlace(new LineKey("slow", ClientIdentifier.of("user", "user-" + client)), 10));
    }

    @Test
    void theTurnOfOneWhoLeavesIsTheNextOnesAndTheLastTurnIsFreeAgain() {
        QueueingHost host = host("limits: [10/s burst 1], onExceeded: { queue: 10, maxWait: 350ms }");
        ask(host, "alice", "a");
        Turn leaving = ask(host, "alice", "b");
        ask(host, "alice", "c");
        ask(host, "alice", "d");
        ask(host, "alice", "too late");
        assertThat(leaving.leave()).isTrue();
        assertThat(leaving.leave()).isFalse();
        ask(host, "alice", "e");
        pass(Duration.ofMillis(100));
        assertThat(wentOn).containsExactly("a", "too late refused", "c");
        pass(Duration.ofMillis(100));
        assertThat(wentOn).endsWith("c", "d");
        pass(Duration.ofMillis(100));
        assertThat(wentOn).endsWith("c", "d", "e");
    }

    @Test
    void whoWasChargedWhileOthersLeftTakesTheFirstOfTheirTurnsAndTheOthersAreFreeAgain() {
        QueueingHost host = host("limits: [10/s burst 1], onExceeded: { queue: 10, maxWait: 350ms }");
        ask(host, "alice", "a");
        Turn first = ask(host, "alice", "b");
        Turn second = ask(host, "alice", "c");
        Turn charged = host.ask(lines, "alice");
        first.leave();
        second.leave();
        await(charged, "d");
        ask(host, "alice", "e");
        ask(host, "alice", "f");
        ask(host, "alice", "too late");
        pass(Duration.ofMillis(100));
        assertThat(wentOn).containsExactly("a", "too late refused", "d");
        pass(Duration.ofMillis(200));
        assertThat(wentOn).endsWith("d", "e", "f");
        assertThat(lines.waiting()).isZero();
    }

    @Test
    void whoLeavesBeforeItWaitsGivesItsTurnBack() {
        QueueingHost host = host("limits: [10/s burst 1], onExceeded: { queue: 1, maxWait: 150ms }");
        ask(host, "alice", "a");
        Turn leaving = host.ask(lines, "alice");
        assertThat(leaving.leave()).isTrue();
        await(leaving, "gone");
        ask(host, "alice", "b");
        pass(Duration.ofMillis(100));
        assertThat(wentOn).containsExactly("a", "b");
    }

    @Test
    void whoGoesOnWithoutAWaitKeepsNobodyElsesTurnFromBeingGivenBack() {
        QueueingHost host = host("limits: [10/s burst 1], onExceeded: { queue: 10, maxWait: 250ms }");
        ask(host, "alice", "a");
        host.ask(lines, "alice").goOnNow();
        Turn leaving = ask(host, "alice", "b");
        leaving.leave();
        ask(host, "alice", "c");
        pass(Duration.ofMillis(200));
        assertThat(wentOn).containsExactly("a", "c");
        assertThat(lines.waiting()).isZero();
    }

    @Test
    void aCrowdThatLeavesAtOnceFreesAllItsTurns() throws Exception {
        QueueingHost host = host("limits: [10/s burst 1], onExceeded: { queue: 1000, maxWait: 2m }");
        for (int round = 0; round < 20; round++) {
            ask(host, "alice" + round, "first");
            List<Turn> leaving = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                leaving.add(ask(host, "alice" + round, "leaves"));
            }
            leaveByThreads(leaving);
            assertThat(lines.waiting()).isZero();
            Turn next = host.ask(lines, "alice" + round);
            assertThat(Duration.ofNanos(next.waitNanos())).isEqualTo(Duration.ofMillis(100));
            next.leave();
        }
    }

    private static void leaveByThreads(List<Turn> leaving) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int first = i;
            Thread thread = new Thread(() -> {
                for (int at = first; at < leaving.size(); at += 4) {
                    leaving.get(at).leave();
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    @Test
    void whoLeavesAfterItsTurnHasPaid() {
        QueueingHost host = host("limits: [10/s burst 1], onExceeded: { queue: 10, maxWait: 5s }");
        ask(host, "alice", "a");
        Turn turn = ask(host, "alice", "b");
        pass(Duration.ofMillis(100));

        assertThat(turn.leave()).isFalse();
        assertThat(host.ask(lines, "alice").mustWait()).isTrue();
    }

    @Test
    void aRuleThatRejectsRefusesAtOnceWhateverOtherRulesLetWait() {
        QueueingHost host = host("limits: [10/s burst 1], onExceeded: { queue: 10, maxWait: 5s } }\n"
                + "  - { name: firm, limits: [2/h]");
        for (String name : List.of("a", "b", "c")) {
            ask(host, "alice", name);
        }
        pass(Duration.ofSeconds(1));

        assertThat(wentOn).containsExactly("a", "c refused", "b");
        assertThat(lines.waiting()).isZero();
    }

    @Test
    void nobodyWaitsWhoWouldBeUnderWayMeanwhile() {
        QueueingHost host = host("limits: [10/s burst 1], onExceeded: { queue: 10, maxWait: 5s } }\n"
                + "  - { name: pool, sharing: host, limits: { tokens: 2, algorithm: concurrency }");
        ask(host, "alice", "a");
        ask(host, "alice", "b");
        assertThat(wentOn).containsExactly("a", "b refused");
        assertThat(lines.waiting()).isZero();
    }

    @Test
    void whoComesAndGoesIsTold() {
        QueueingHost host = host("limits: [10/s burst 1], onExceeded: { queue: 10, maxWait: 5s }");
        ask(host, "alice", "a");
        ask(host, "alice", "b");
        ask(host, "alice", "c").leave();
        pass(Duration.ofMillis(100));
        assertThat(waiting).containsExactly(1L, 2L, 1L, 0L);
    }

    @Test
    void twoRulesWithLinesAreWaitedForTogether() {
        QueueingHost host = host("limits: [10/s burst 1], onExceeded: { queue: 10, maxWait: 5s } }\n"
                + "  - { name: slower, limits: [2/s burst 1], onExceeded: { queue: 10, maxWait: 5s }");
        ask(host, "alice", "a");
        ask(host, "alice", "b");
        pass(Duration.ofMillis(499));
        assertThat(wentOn).containsExactly("a");
        pass(Duration.ofMillis(1));
        assertThat(wentOn).containsExactly("a", "b");
    }

    @Test
    void theEndTurnsAllAwayWhoWaitAndGivesThemTheirTokensBack() {
        QueueingHost host = host("limits: [10/s burst 1], onExceeded: { queue: 10, maxWait: 5s }");
        for (String name : List.of("a", "b", "c")) {
            ask(host, "alice", name);
        }
        lines.close();
        ask(host, "alice", "d");

        assertThat(wentOn).containsExactly("a", "b turned away", "c turned away", "d refused");
        assertThat(lines.waiting()).isZero();
        pass(Duration.ofMillis(100));
        ask(host, "alice", "e");
        assertThat(wentOn).endsWith("e");
    }

    @Test
    void aWaiterThatFailsKeepsNobodyBehindItWaiting() {
        QueueingHost host = host("limits: [10/s burst 1], onExceeded: { queue: 10, maxWait: 5s }");
        ask(host, "alice", "a");
        host.ask(lines, "alice").await(new Waiter() {
            @Override
            public void goOn(Decision decision) {
                throw new IllegalStateException("the container has ended the request");
            }

            @Override
            public void turnAway() {}
        });
        ask(host, "alice", "c");
        pass(Duration.ofMillis(200));

        assertThat(wentOn).containsExactly("a", "c");
        assertThat(faults).singleElement().asString().contains("the container has ended the request");
    }
}
