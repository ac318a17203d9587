package io.ratelimit.hazelcast;

import io.ratelimit.TimeSource;
import io.ratelimit.core.bucket.AlgorithmContract;
import io.ratelimit.core.bucket.BucketStoreContract;
import io.ratelimit.core.bucket.ChargeKindContract;
import io.ratelimit.store.BucketStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** The contract on one embedded member. */
class HazelcastBucketStoreTest extends BucketStoreContract {

    private static TestCluster cluster;

    @BeforeAll
    static void startMember() {
        cluster = new TestCluster();
        cluster.start();
    }

    @AfterAll
    static void stopMember() {
        cluster.close();
    }

    /** A clock for each test: a member keeps the first one it gets. */
    @Override
    protected BucketStore createStore(TimeSource timeSource) {
        return cluster.storeWithClock(0, timeSource);
    }

    @Nested
    class KindsOfCharges extends ChargeKindContract {

        @Override
        protected BucketStore createStore(TimeSource timeSource) {
            return cluster.storeWithClock(0, timeSource);
        }
    }

    @Nested
    class Algorithms extends AlgorithmContract {

        @Override
        protected BucketStore createStore(TimeSource timeSource) {
            return cluster.storeWithClock(0, timeSource);
        }
    }
}
