package io.ratelimit.server.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ratelimit.server.audit.AuditLog;
import io.ratelimit.server.database.Database;
import io.ratelimit.server.database.DatabaseSettings;
import io.ratelimit.server.rules.Draft;
import io.ratelimit.server.rules.Expectation;
import io.ratelimit.server.rules.LostUpdateException;
import io.ratelimit.server.rules.PublishedRules;
import io.ratelimit.server.rules.RuleSets;
import io.ratelimit.server.rules.ServiceName;
import java.time.Clock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KnownRulesTest {

    private final Database database = Database.open(new DatabaseSettings("jdbc:h2:mem:known-rules", null, null));
    private final Clock clock = Clock.systemUTC();
    private final RuleSets ruleSets = new RuleSets(database, new AuditLog(database, clock), clock);
    private final KnownRules known = new KnownRules(ruleSets);

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void readsTheTextOfAVersionOnce() throws Exception {
        PublishedRules rules = inForce("service: orders\nrules: [{ name: everyone, limits: 5/s }]");

        assertThat(known.require(rules).rules()).hasSize(1);
        assertThat(known.of(rules.version())).containsSame(known.require(rules));
    }

    /** As an upgrade may leave it that knows a setting no more. */
    @Test
    void saysWhichVersionCannotBeReadAnyMore() throws Exception {
        PublishedRules rules = inForce("service: orders\nrules: [{ name: everyone, limit: 5/s }]");

        assertThat(known.of(rules)).isEmpty();
        assertThatThrownBy(() -> known.require(rules))
                .isInstanceOf(UnreadableVersionException.class)
                .hasMessageContaining("version 1 of 'orders'")
                .hasMessageContaining("publish rules that are");
    }

    private PublishedRules inForce(String text) throws LostUpdateException {
        ServiceName orders = new ServiceName("orders");
        ruleSets.publish(new Draft(orders, text, 1, "", null), new Expectation.Nothing(), "somebody");
        return ruleSets.current(orders).orElseThrow();
    }
}
