package io.ratelimit.benchmarks;

import io.github.bucket4j.Bucket;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.ratelimit.Permits;
import io.ratelimit.core.algorithm.CellRate;
import io.ratelimit.core.permits.LocalPermits;
import io.ratelimit.store.Charge;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** One client whom all threads ask for, under one limit. What differs between limiters says {@link Peers}. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HotKeyBenchmark {

    private static final String CLIENT = "client-000000001";

    /** Whether requests pass. */
    @Param({"ADMITTED", "REFUSED"})
    public Outcome outcome = Outcome.ADMITTED;

    private Gcra gcra;
    private AtomicLong gcraState;
    private CellRate arithmetic;
    private AtomicLong arithmeticState;
    private long origin;
    private Permits permits;
    private ClientStore store;
    private List<Charge> charges;
    private Bucket bucket4j;
    private RateLimiter resilience4j;
    private com.google.common.util.concurrent.RateLimiter guava;
    private dev.failsafe.RateLimiter<Object> failsafeSmooth;
    private dev.failsafe.RateLimiter<Object> failsafeBursty;

    /** Makes the limiters and takes the first token of each. */
    @Setup
    public void makeLimiters() {
        gcra = Gcra.of(outcome.limit());
        gcraState = gcra.full();
        arithmetic = CellRate.of(outcome.limit());
        origin = System.nanoTime();
        arithmeticState = new AtomicLong(arithmetic.full(0));
        permits = LocalPermits.of(outcome.limit());
        store = new ClientStore(outcome.limit());
        charges = store.chargesOf(CLIENT);
        Peers peers = new Peers(outcome.limit());
        bucket4j = peers.bucket4j();
        resilience4j = RateLimiter.of(CLIENT, peers.resilience4j());
        guava = peers.guava();
        failsafeSmooth = peers.failsafeSmooth();
        failsafeBursty = peers.failsafeBursty();
        askAll();
        check();
    }

    /** Checks that the limiters answer as they should, before and after they are measured. */
    @TearDown
    public void check() {
        outcome.check("GCRA", gcra());
        outcome.check("our arithmetic", ourArithmetic());
        outcome.check("our permits", ourPermits());
        outcome.check("our store", ourStore());
        outcome.check("our store, charged", ourStoreCharged());
        outcome.check("Bucket4j", bucket4j());
        outcome.check("Resilience4j", resilience4j());
        outcome.check("Guava", guava());
        outcome.check("Failsafe, smooth", failsafeSmooth());
        outcome.check("Failsafe, bursty", failsafeBursty());
    }

    private void askAll() {
        gcra();
        ourArithmetic();
        ourPermits();
        ourStore();
        ourStoreCharged();
        bucket4j();
        resilience4j();
        guava();
        failsafeSmooth();
        failsafeBursty();
    }

    /** The clock alone, which every limiter reads. */
    @Benchmark
    public long nanoTime() {
        return System.nanoTime();
    }

    /** The least that a limiter can do. */
    @Benchmark
    public boolean gcra() {
        return gcra.tryAcquire(gcraState);
    }

    /** Our token bucket's arithmetic, with a compare-and-set on one long. */
    @Benchmark
    public boolean ourArithmetic() {
        long now = System.nanoTime() - origin;
        while (true) {
            long read = arithmeticState.get();
            if (!arithmetic.admits(read, now, 1)) {
                return false;
            }
            if (arithmeticState.compareAndSet(read, arithmetic.spend(read, now, 1))) {
                return true;
            }
        }
    }

    /** Our bucket for callers inside a program. */
    @Benchmark
    public boolean ourPermits() {
        return permits.tryAcquire();
    }

    /** Our local table, asked for a client by name: hashing the name and finding the bucket are part of it. */
    @Benchmark
    public boolean ourStore() {
        return store.tryAcquire(CLIENT);
    }

    /** Our local store, with the client's charge made before, for an answer that can be refunded. */
    @Benchmark
    public boolean ourStoreCharged() {
        return store.spend(charges);
    }

    /** Bucket4j. */
    @Benchmark
    public boolean bucket4j() {
        return bucket4j.tryConsume(1);
    }

    /** Resilience4j. */
    @Benchmark
    public boolean resilience4j() {
        return resilience4j.acquirePermission();
    }

    /** Guava. */
    @Benchmark
    public boolean guava() {
        return guava.tryAcquire();
    }

    /** Failsafe, which spaces requests evenly. */
    @Benchmark
    public boolean failsafeSmooth() {
        return failsafeSmooth.tryAcquirePermit();
    }

    /** Failsafe, which counts in cycles. */
    @Benchmark
    public boolean failsafeBursty() {
        return failsafeBursty.tryAcquirePermit();
    }
}
