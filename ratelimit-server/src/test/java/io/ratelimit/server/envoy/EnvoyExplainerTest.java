package io.ratelimit.server.envoy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EnvoyExplainerTest {

    private static final String DESCRIPTORS = """
            domain: shop
            descriptors:
              - key: user
                rate_limit: { unit: minute, requests_per_unit: 2, name: per-user }
                descriptors:
                  - key: path
                    value: /api/*
                    rate_limit: { unit: minute, requests_per_unit: 1, replaces: [{ name: per-user }] }
              - key: user
                value: nightly-export
                rate_limit: { unlimited: true }
              - key: tenant
                descriptors:
                  - key: path
                    value: /files/*
                    share_threshold: true
                    rate_limit: { unit: hour, requests_per_unit: 9 }
            """;

    private final RunningEnvoyService service = RunningEnvoyService.setup()
            .descriptors(DESCRIPTORS)
            .rules(rules("nobody"))
            .start();

    private static String rules(String service) {
        return "service: " + service
                + "\nrules:\n  - { name: logins, match: { path: /login }, key: [user], limits: 5/h }\n"
                + "  - { name: wrong, key: [user], charge: { when: response, status: [401] }, limits: 5/h }\n";
    }

    @AfterEach
    void close() {
        service.close();
    }

    @Test
    void aLimitIsExplainedAndNotCharged() {
        service.ask("shop", "user=alice");

        for (int i = 0; i < 5; i++) {
            assertThat(service.explain("shop", "user=alice")).isEqualTo("""
                            domain shop: user=alice
                            rule shop.user: applies (descriptor user). key: user=alice. cost 1 (default).
                              limit 2 per 1m: 1 left, passes
                            outcome: passes, within all limits""");
        }
        service.ask("shop", "user=alice");
        assertThat(service.explain("shop", "user=alice")).endsWith("outcome: refused by shop.user, retry in 30s");
        assertThat(service.explain("shop", "user=bob")).endsWith("outcome: passes, within all limits");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "shop | user=nightly-export | descriptor user=nightly-export is unlimited",
                "shop | usr=alice | no descriptor has key 'usr' at the top; did you mean 'user'?",
                "shop | user=alice path=/other | no descriptor has value '/other' of 'path' beneath user",
                "shop | tenant=a | descriptor tenant has no rate_limit; those beneath it are for descriptors with more entries",
                "shp  | user=alice | no descriptor file has domain 'shp'; did you mean 'shop'?",
            })
    void whyThereIsNoLimitIsSaid(String domain, String descriptor, String reason) {
        assertThat(service.explain(domain, descriptor))
                .contains("\nrule descriptor 1: does not apply (" + reason + ").\n")
                .endsWith("outcome: passes, since no limit applies");
    }

    @Test
    void aLimitThatAnotherOneReplacesIsTold() {
        assertThat(service.explain("shop", "user=alice path=/api/x", "user=alice"))
                .contains("applies (descriptor user, path=/api/*). key: user=alice, path=/api/x.")
                .contains(
                        "rule descriptor 2: does not apply (descriptor user, but the limit of another one replaces it).");
    }

    @Test
    void valuesThatShareABucketAreShownAsTheFileHasThem() {
        assertThat(service.explain("shop", "tenant=a path=/files/b"))
                .startsWith("domain shop: tenant=a, path=/files/b\n")
                .contains("key: tenant=a, path=/files/*.");
    }

    @Test
    void rulesOfTheDomainAreExplainedBesideIt() {
        try (RunningEnvoyService ruled = RunningEnvoyService.setup()
                .descriptors(DESCRIPTORS)
                .rules(rules("shop"))
                .start()) {
            assertThat(ruled.explain("shop", "user=alice path=/login", "user=alice"))
                    .contains(
                            "rule descriptor 1: does not apply (no descriptor has value '/login' of 'path' beneath user).")
                    .contains("rule logins: applies (path /login matches /login). key: user 'alice'.")
                    .contains(
                            "rule wrong: does not apply (Envoy does not tell how a request went, which it must know).")
                    .contains("rule shop.user: applies")
                    .contains("rule logins: does not apply (path /login does not match /).");
        }
    }

    @Test
    void aQuestionThatIsNoneSaysWhatWouldBeRight() {
        assertThatThrownBy(() -> EnvoyQuestion.parse("", List.of("user=alice")))
                .hasMessage("there is no domain: ask by domain=shop and descriptor=user=alice");
        assertThatThrownBy(() -> EnvoyQuestion.parse("shop", Collections.nCopies(11, "user=alice")))
                .hasMessageStartingWith("there are 11 descriptors: name 1 to 10");
        assertThatThrownBy(() -> EnvoyQuestion.parse("shop", List.of("=x")))
                .hasMessage("'=x' is no entry of a descriptor: write KEY=VALUE, such as user=alice");
        assertThatThrownBy(() -> EnvoyQuestion.parse("shop", List.of(" ")))
                .hasMessage("a descriptor is empty: write its entries as KEY=VALUE");
    }

    @Test
    void controlCharactersOfAQuestionAreEscaped() {
        assertThat(service.explain("shop\u0007", "us\u0007er=x", "user=a\u0007b", "user=a path=\u0007"))
                .doesNotContain("\u0007")
                .contains("us\\u0007er=x");
        assertThat(service.explain("shop", "user=a\u0007b")).contains("key: user=a\\u0007b.");
    }
}
