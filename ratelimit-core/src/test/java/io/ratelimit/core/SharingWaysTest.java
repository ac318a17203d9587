package io.ratelimit.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.ratelimit.core.match.StoreDefaults;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Hosts that only tell one another what was spent. */
class SharingWaysTest {

    private static final StorePolicy CLOSED = new StorePolicy(null, OnFailure.CLOSED, Duration.ofMillis(7));

    private final SharingWays telling = new SharingWays(true, StorePolicy.UNSET);

    private static StorePolicy says(@Nullable Sharing sharing) {
        return new StorePolicy(sharing, null, null);
    }

    @Test
    void rulesAreEventualThereWhereNothingIsSaid() {
        StoreDefaults defaults = new SharingWays(true, CLOSED).defaults();
        assertThat(defaults.host()).isEqualTo(CLOSED);
        assertThat(defaults.builtIn()).isEqualTo(says(Sharing.EVENTUAL).orElse(StorePolicy.BUILT_IN));
        assertThat(new SharingWays(false, CLOSED).defaults())
                .isEqualTo(new StoreDefaults(CLOSED, StorePolicy.BUILT_IN));
    }

    @ParameterizedTest
    @EnumSource(
            value = Sharing.class,
            names = {"EXACT", "LEASED"})
    void aSettingThatAsksForBucketsInCommonIsWrong(Sharing sharing) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SharingWays(true, says(sharing)))
                .withMessageContaining("setting sharing is '" + sharing.name().toLowerCase(Locale.ROOT) + "'")
                .withMessageContaining("write eventual, or host");
        assertThat(new SharingWays(false, says(sharing)).defaults().host()).isEqualTo(says(sharing));
    }

    @ParameterizedTest
    @CsvSource({"exact, , 2", "leased, , 2", "host, , 1", "eventual, , 1", "exact, HOST, 1"})
    void whatTheTopOfAFileAsksForHoldsUnlessTheHostSaysOtherwise(String top, @Nullable Sharing host, int asking)
            throws Exception {
        RuleSet rules = rules("""
                service: orders
                sharing: %s
                rules:
                  - { name: one, sharing: exact, limits: 1/s }
                  - { name: two, limits: 1/s }
                """.formatted(top));
        try (CapturedLog log = new CapturedLog(SharingWays.class)) {
            new SharingWays(true, says(host)).watched(inForce -> {}).replace(rules);
            assertThat(log.warnings())
                    .singleElement()
                    .satisfies(line -> assertThat(line).contains("asked for by " + asking + " of 2"));
        }
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
                    .satisfies(
                            line -> assertThat(line)
                                    .startsWith(
                                            "Rules of orders: sharing: exact or leased is asked for by 2 of 4, [one, three] among"));
            telling.watched(inForce::add).replace(rules("service: orders\nrules: [{ name: two, limits: 1/s }]"));
            assertThat(log.warnings()).hasSize(1);
        }
    }

    private static RuleSet rules(String text) throws Exception {
        return new RulesParser().parse(new RulesDocument("test", text.getBytes(StandardCharsets.UTF_8), "tag", 1));
    }
}
