package io.ratelimit.junit;

import io.ratelimit.core.QueryParameterCost;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@RateLimitRules(yaml = """
        service: orders
        costs: [{ path: /api/orders, resolver: page-size }]
        rules: [{ name: rows, match: { path: /api/** }, key: user, limits: [100/m] }]
        """)
class CompletedEngineTest {

    @RegisterExtension
    static final RateLimitExtension LIMITER =
            RateLimitExtension.with(engine -> engine.costs(new QueryParameterCost("page-size", "size", 1, 100)));

    @Test
    void aPageCostsItsRows(RulesUnderTest rules) {
        rules.request("GET /api/orders user=alice query:size=30").isAllowed().leaves(70);
    }
}
