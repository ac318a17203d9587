package io.ratelimit.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ratelimit.core.ManualTimeSource;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(RateLimitExtension.class)
@RateLimitRules("classpath:ratelimit.yaml")
class OrdersRulesTest {

    @Test
    void fortyAtOnceThenOneEveryFiftyMilliseconds(RulesUnderTest rules, ManualTimeSource clock) {
        assertEquals(40, rules.allowedOf(50, "GET /api/orders user=alice"));
        rules.request("GET /api/orders user=alice").isRefusedBy("everyone:1s").mayRetryAfter(Duration.ofMillis(50));
        clock.advance(Duration.ofMillis(50));
        rules.request("GET /api/orders user=alice").isAllowed().leaves(0, "everyone:1s");
        rules.request("GET /api/orders user=bob").isAllowed();
    }

    @Test
    void goldClientsMayDoMore(RulesUnderTest rules) {
        assertEquals(100, rules.allowedOf(200, "GET /api/orders user=alice attribute:tier=gold"));
    }

    @Test
    void onlyFailedLoginsCount(RulesUnderTest rules) {
        assertEquals(10, rules.allowedOf(10, "POST /login ip=192.0.2.7"));
        rules.request("POST /login ip=192.0.2.7").isAllowed().answered(401);
        rules.request("POST /login ip=192.0.2.7").isAllowed().answered(401);
        rules.request("POST /login ip=192.0.2.7").isRefusedBy("login-failures");
    }

    @Test
    @RateLimitRules(yaml = """
            service: orders
            rules:
              - { name: stricter, match: { path: /api/** }, key: user, limits: [1/h], onExceeded: shadow }
            """)
    void whatIsTriedOutRefusesNobody(RulesUnderTest rules) {
        rules.request("GET /api/orders user=alice").isAllowed();
        rules.request("GET /api/orders user=alice").isAllowed().wouldBeRefusedBy("stricter");
        rules.request("GET /health").isNotLimited();
    }
}
