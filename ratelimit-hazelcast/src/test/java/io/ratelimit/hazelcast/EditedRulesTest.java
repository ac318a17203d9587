package io.ratelimit.hazelcast;

import io.ratelimit.TimeSource;
import io.ratelimit.core.EditedRulesContract;
import io.ratelimit.core.RateLimitEngineBuilder;
import org.junit.jupiter.api.Tag;

/** Two members. */
@Tag("cluster")
class EditedRulesTest extends EditedRulesContract {

    private final TestCluster cluster = new TestCluster();

    @Override
    protected void share(RateLimitEngineBuilder host, TimeSource timeSource) {
        host.settings(cluster.settings());
    }
}
