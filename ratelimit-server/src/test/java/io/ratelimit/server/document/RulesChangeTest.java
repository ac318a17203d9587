package io.ratelimit.server.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.rules.RuleSet;
import org.junit.jupiter.api.Test;

class RulesChangeTest {

    private static RuleSet rules(String text) {
        return new RulesReviewer().review("the rules", text, null).rules().orElseThrow();
    }

    private static RulesChange between(String before, String after) {
        return RulesChange.between(rules(before), rules(after));
    }

    @Test
    void rulesAndSettingsAreNamed() {
        RulesChange change = between("""
                service: orders
                rules:
                  - { name: a, limits: 1/s }
                  - { name: b, limits: 1/s }
                  - { name: c, limits: 1/s }
                """, """
                service: orders
                clients: [ip]
                onFailure: closed
                rules:
                  - { name: d, limits: 1/s }
                  - { name: c, limits: 2/s }
                  - { name: a, limits: 1/s }
                """);
        assertThat(change.toString()).isEqualTo("renamed: b to d; changed: c; settings: clients, onFailure");
        assertThat(change.isNone()).isFalse();
    }

    @Test
    void aRuleWithAnotherNameIsRenamedOnlyIfItSaysTheSame() {
        RulesChange change = between("""
                service: orders
                rules:
                  - { name: a, limits: 1/s }
                  - { name: b, limits: 1/s }
                  - { name: c, limits: 3/s }
                """, """
                service: orders
                rules:
                  - { name: d, limits: 1/s }
                  - { name: e, limits: 4/s }
                """);
        assertThat(change.toString()).isEqualTo("added: e; removed: b, c; renamed: a to d");
    }

    @Test
    void layoutNotationAndOrderAreNoChange() {
        RulesChange change = between("""
                service: orders
                rules:
                  - { name: a, limits: 60 per 1m }   # often
                  - name: b
                    limits: [1/s]
                """, """
                {"service": "orders", "rules": [{"name": "b", "limits": "1/s"}, {"name": "a", "limits": "60/m"}]}
                """);
        assertThat(change.isNone()).isTrue();
        assertThat(change.toString()).isEqualTo("the same rules");
    }
}
