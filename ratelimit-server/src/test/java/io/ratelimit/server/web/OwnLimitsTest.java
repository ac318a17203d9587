package io.ratelimit.server.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ratelimit.core.rules.RulesParser;
import io.ratelimit.rules.RuleSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OwnLimitsTest {

    @Test
    void believesTheProxiesThatAreNamed() throws Exception {
        OwnLimits limits = new OwnLimits(List.of("::1", "10.0.0.0/8"));

        RuleSet rules = new RulesParser().parse(limits.retrieve(null).orElseThrow());

        assertThat(rules.addresses().trustedProxies()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.0/99", "proxy.example.org", "", "]", "\"", "10.0.0.1\", \"0.0.0.0/0"})
    void refusesWhatIsNoProxyRatherThanStartWithoutLimits(String proxy) {
        assertThatThrownBy(() -> new OwnLimits(List.of(proxy)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("trusted proxies");
    }
}
