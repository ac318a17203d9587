package io.ratelimit.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.ratelimit.core.retrieve.CapturedLog;
import io.ratelimit.core.rules.RulesParser;
import io.ratelimit.rules.OnFailure;
import io.ratelimit.rules.RuleSet;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.Sharing;
import io.ratelimit.rules.StorePolicy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Hosts that only tell one another what was spent. */
class SharingWaysTest {

    private static final StorePolicy CLOSED = new StorePolicy(null, OnFailure.CLOSED, Duration.ofMillis(7));

    private final SharingWays telling = new SharingWays(true);

    private static StorePolicy says(Sharing sharing) {
        return new StorePolicy(sharing, null, null);
    }

    @Test
    void rulesAreEventualThereByDefault() {
        assertThat(telling.defaults(CLOSED))
                .isEqualTo(new StorePolicy(Sharing.EVENTUAL, OnFailure.CLOSED, Duration.ofMillis(7)));
        assertThat(telling.defaults(says(Sharing.HOST)).sharing()).isEqualTo(Sharing.HOST);
        assertThat(new SharingWays(false).defaults(CLOSED)).isEqualTo(CLOSED);
    }

    @ParameterizedTest
    @EnumSource(
            value = Sharing.class,
            names = {"EXACT", "LEASED"})
    void aSettingThatAsksForBucketsInCommonIsWrong(Sharing sharing) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> telling.defaults(says(sharing)))
                .withMessageContaining("setting sharing is '" + sharing.name().toLowerCase(Locale.ROOT) + "'")
                .withMessageContaining("write eventual, or host");
        assertThat(new SharingWays(false).defaults(says(sharing)).sharing()).isEqualTo(sharing);
    }

    @Test
    void rulesThatAskForBucketsInCommonAreNamedInAWarning() throws Exception {
        RuleSet rules = rules("""
                service: orders
                rules:
                  - { name: one, sharing: exact, limits: 1/s }
                  - { name: two, limits: 1/s }
                  - { name: three, sharing: leased, limits: 1/s }
                  - { name: four, sharing: host, limits: 1/s }
                """);
        List<RuleSet> inForce = new ArrayList<>();
        try (CapturedLog log = new CapturedLog(SharingWays.class)) {
            telling.watched(inForce::add).replace(rules);
            assertThat(inForce).containsExactly(rules);
            assertThat(log.warnings())
                    .singleElement()
                    .satisfies(line -> assertThat(line)
                            .startsWith(
                                    "Rules of orders: 2 rules say sharing: exact or leased, [one, three] among them"));
            telling.watched(inForce::add).replace(rules("service: orders\nrules: [{ name: two, limits: 1/s }]"));
            assertThat(log.warnings()).hasSize(1);
        }
    }

    private static RuleSet rules(String text) throws Exception {
        return new RulesParser().parse(new RulesDocument("test", text.getBytes(StandardCharsets.UTF_8), "tag", 1));
    }
}
