package io.ratelimit.hazelcast;

import io.ratelimit.TimeSource;
import io.ratelimit.core.LargeLimitsContract;
import io.ratelimit.core.RateLimitEngineBuilder;

/** In a cluster of one. */
class LargeLimitsTest extends LargeLimitsContract {

    @Override
    protected void share(RateLimitEngineBuilder host, TimeSource timeSource) {
        host.settings(new TestCluster().settings());
    }
}
