package io.ratelimit.server.envoy;

import static io.ratelimit.server.envoy.RunningEnvoyService.descriptor;
import static io.ratelimit.server.envoy.RunningEnvoyService.request;
import static io.ratelimit.server.envoy.RunningEnvoyService.setup;
import static io.ratelimit.server.envoy.RunningEnvoyService.told;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.RateLimit.Unit;
import io.envoyproxy.envoy.type.v3.RateLimitUnit;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.ratelimit.Decision;
import io.ratelimit.RateLimitListener;
import io.ratelimit.RequestContext;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class EnvoyRateLimitServiceTest {

    private static final String SHOP = """
            domain: shop
            descriptors:
              - key: user
                rate_limit: { name: per-user, unit: minute, requests_per_unit: 5 }
              - key: tenant
                rate_limit: { unit: hour, requests_per_unit: 2 }
              - key: blocked
                rate_limit: { unit: day, requests_per_unit: 0 }
              - key: free
                rate_limit: { unlimited: true }
              - key: shady
                shadow_mode: true
                rate_limit: { unit: minute, requests_per_unit: 1 }
              - key: special
                rate_limit: { unit: minute, requests_per_unit: 9, replaces: [{ name: per-user }] }
            """;

    private RunningEnvoyService service = setup().descriptors(SHOP).start();

    private void restart(RunningEnvoyService.Setup setup) {
        service.close();
        service = setup.start();
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void aRequestThatSaysNothingOrZeroHitsCostsOne() {
        assertThat(service.told("shop", "user=alice")).isEqualTo("OK ok:4");
        assertThat(told(service.ask(request("shop", "user=alice").setHitsAddend(0))))
                .isEqualTo("OK ok:3");
        assertThat(told(service.ask(request("shop", "user=alice").setHitsAddend(3))))
                .isEqualTo("OK ok:0");
    }

    @Test
    void zeroHitsOfADescriptorOnlyLook() {
        for (int i = 0; i < 5; i++) {
            assertThat(look("user=bob")).isEqualTo("OK ok:5");
        }
        assertThat(service.told("shop", "user=bob")).isEqualTo("OK ok:4");
        service.ask(request("shop", "user=bob").setHitsAddend(4));
        assertThat(look("user=bob")).isEqualTo("OVER_LIMIT over:0");
    }

    private String look(String text) {
        return told(service.ask(RateLimitRequest.newBuilder().setDomain("shop").addDescriptors(descriptor(text, 0))));
    }

    @Test
    void hitsOfADescriptorComeBeforeThoseOfTheRequest() {
        assertThat(told(service.ask(RateLimitRequest.newBuilder()
                        .setDomain("shop")
                        .setHitsAddend(4)
                        .addDescriptors(descriptor("user=carol", 1))
                        .addDescriptors(descriptor("user=dave")))))
                .isEqualTo("OK ok:4 ok:1");
    }

    @Test
    void theLargestNumberOfHitsIsOverTheLimitAndWrapsNowhere() {
        for (int i = 0; i < 3; i++) {
            assertThat(told(service.ask(request("shop", "user=eve").setHitsAddend(-1))))
                    .isEqualTo("OVER_LIMIT over:5");
        }
        // A refusal costs nothing: what was there is there still, and no token more.
        for (int left = 4; left >= 0; left--) {
            assertThat(service.told("shop", "user=eve")).isEqualTo("OK ok:" + left);
        }
        assertThat(service.told("shop", "user=eve")).isEqualTo("OVER_LIMIT over:0");
        assertThat(told(service.ask(RateLimitRequest.newBuilder()
                        .setDomain("shop")
                        .addDescriptors(descriptor("user=frank", -1))
                        .addDescriptors(descriptor("user=frank", -1)))))
                .isEqualTo("OVER_LIMIT over:5 over:5");
    }

    @Test
    void noDomainAndNoDescriptorAreErrors() {
        assertThatThrownBy(() -> service.ask("", "user=alice"))
                .isInstanceOfSatisfying(
                        StatusRuntimeException.class,
                        e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT))
                .hasMessageContaining("the request has no domain");
        assertThatThrownBy(() -> service.ask("shop"))
                .hasMessage("INVALID_ARGUMENT: the request has no descriptor: give" + " the route rate limit actions");
        assertThatThrownBy(() ->
                        service.ask("shop", Collections.nCopies(101, "user=a").toArray(String[]::new)))
                .hasMessageContaining("the request has 101 descriptors: 100 are decided at once at most");
        assertThat(service.told("shop", "user=alice")).isEqualTo("OK ok:4");
    }

    @Test
    void anUnknownDomainPassesWithAStatusForEachDescriptor() {
        assertThat(service.told("unknown", "user=alice", "tenant=a")).isEqualTo("OK ok ok");
    }

    @Test
    void statusesStandInTheOrderOfTheDescriptors() {
        assertThat(service.told("shop", "nothing=1", "user=grace", "free=1", "nothing=2"))
                .isEqualTo("OK ok ok:4 ok ok");
    }

    @Test
    void aDescriptorWithALimitOfItsOwnIsLimitedByThat() {
        assertThat(brought(2, RateLimitUnit.MINUTE)).isEqualTo("OK ok:1");
        assertThat(brought(2, RateLimitUnit.MINUTE)).isEqualTo("OK ok:0");
        assertThat(brought(2, RateLimitUnit.MINUTE)).isEqualTo("OVER_LIMIT over:0");
        assertThat(brought(3, RateLimitUnit.MINUTE))
                .as("another limit begins anew")
                .isEqualTo("OK ok:2");
        assertThat(brought(0, RateLimitUnit.DAY)).isEqualTo("OVER_LIMIT over:0");
        assertThat(brought(-1, RateLimitUnit.YEAR)).startsWith("OK ok:4293999999");
        assertThat(service.told("shop", "user=heidi")).as("the file's").isEqualTo("OK ok:4");
    }

    @Test
    void aLimitWithoutAUnitIsNone() {
        assertThat(brought(2, RateLimitUnit.UNKNOWN)).as("the file's").isEqualTo("OK ok:4");
    }

    private String brought(int requests, RateLimitUnit unit) {
        RateLimitDescriptor.Builder descriptor = descriptor("user=heidi")
                .setLimit(RateLimitDescriptor.RateLimitOverride.newBuilder()
                        .setRequestsPerUnit(requests)
                        .setUnit(unit));
        return told(service.ask(RateLimitRequest.newBuilder().setDomain("shop").addDescriptors(descriptor)));
    }

    @Test
    void aStatusNamesTheLimitAndItsReset() {
        RateLimitResponse within = service.ask(request("shop", "user=ivan").setHitsAddend(2));
        DescriptorStatus status = within.getStatuses(0);
        assertThat(status.getCurrentLimit().getName()).isEqualTo("per-user");
        assertThat(status.getCurrentLimit().getRequestsPerUnit()).isEqualTo(5);
        assertThat(status.getCurrentLimit().getUnit()).isEqualTo(Unit.MINUTE);
        assertThat(status.getDurationUntilReset().getSeconds())
                .as("until all are back")
                .isEqualTo(24);

        DescriptorStatus over =
                service.ask(request("shop", "user=ivan").setHitsAddend(5)).getStatuses(0);
        assertThat(over.getDurationUntilReset().getSeconds())
                .as("until it passes")
                .isEqualTo(24);

        DescriptorStatus blocked = service.ask("shop", "blocked=1").getStatuses(0);
        assertThat(blocked.getCode()).isEqualTo(Code.OVER_LIMIT);
        assertThat(blocked.hasDurationUntilReset()).isFalse();
        assertThat(blocked.getCurrentLimit().getUnit()).isEqualTo(Unit.DAY);
    }

    @Test
    void unlimitedHasTheMostLeft() {
        DescriptorStatus status = service.ask("shop", "free=1").getStatuses(0);

        assertThat(Integer.toUnsignedLong(status.getLimitRemaining())).isEqualTo(4_294_967_295L);
        assertThat(status.hasCurrentLimit()).isFalse();
    }

    @Test
    void shadowModePassesAndTellsNoNumbers() {
        assertThat(service.told("shop", "shady=1")).isEqualTo("OK ok");
        assertThat(service.told("shop", "shady=1", "user=judy")).isEqualTo("OK ok ok:4");
    }

    @Test
    void oneRefusalLeavesTheOtherDescriptorsUncharged() {
        service.ask(request("shop", "tenant=t").setHitsAddend(2));

        assertThat(service.told("shop", "user=karl", "tenant=t")).isEqualTo("OVER_LIMIT ok:5 over:0");
        assertThat(service.told("shop", "user=karl")).isEqualTo("OK ok:4");
    }

    @Test
    void eachDescriptorIsChargedByItselfWhereThatIsAsked() {
        restart(setup().descriptors(SHOP).chargeEveryDescriptor());
        service.ask(request("shop", "tenant=t").setHitsAddend(2));

        assertThat(service.told("shop", "user=karl", "tenant=t")).isEqualTo("OVER_LIMIT ok:4 over:0");
        assertThat(service.told("shop", "user=karl", "user=karl", "nothing=1")).isEqualTo("OK ok:3 ok:2 ok");
        assertThat(service.told("shop", "tenant=u", "user=karl")).isEqualTo("OK ok:1 ok:1");
    }

    @Test
    void theSameDescriptorTwiceCostsTwice() {
        assertThat(service.told("shop", "user=liam", "user=liam")).isEqualTo("OK ok:3 ok:3");
    }

    @Test
    void aLimitThatReplacesAnotherTakesItsPlace() {
        assertThat(service.told("shop", "user=mia", "special=1")).isEqualTo("OK ok ok:8");
        assertThat(service.told("shop", "special=1", "user=mia")).isEqualTo("OK ok:7 ok");
        assertThat(service.told("shop", "user=mia")).isEqualTo("OK ok:4");
    }

    @Test
    void headersTellTheClientWhereItStands() {
        RateLimitResponse within = service.ask("shop", "user=nina");
        assertThat(headers(within))
                .contains("RateLimit-Policy: \"shop.user\";q=5;w=60", "RateLimit: \"shop.user\";r=4;t=12");

        RateLimitResponse over = service.ask(request("shop", "user=nina").setHitsAddend(5));
        assertThat(headers(over)).contains("Retry-After: 12");
    }

    private static List<String> headers(RateLimitResponse response) {
        return response.getResponseHeadersToAddList().stream()
                .map(header -> header.getKey() + ": " + header.getValue())
                .toList();
    }

    @Test
    void tokensComeBack() {
        service.ask(request("shop", "user=oscar").setHitsAddend(5));
        assertThat(service.told("shop", "user=oscar")).isEqualTo("OVER_LIMIT over:0");

        service.pass(Duration.ofSeconds(12));

        assertThat(service.told("shop", "user=oscar")).isEqualTo("OK ok:0");
    }

    @Test
    void whatWasUsedStaysUsedWhenFilesChange() {
        service.ask(request("shop", "user=peggy").setHitsAddend(3));

        service.enforce(
                "domain: shop\ndescriptors: [{ key: user, rate_limit: { unit: minute, requests_per_unit: 10 } }]");

        assertThat(service.told("shop", "user=peggy")).isEqualTo("OK ok:6");
    }

    private static final String RULES = """
            service: shop
            rules:
              - { name: logins, match: { path: /login, methods: [POST] }, key: [user], limits: [1/m] }
              - { name: tiers, match: { attributes: { tier: gold } }, key: ["attribute:tenant"], limits: ["2 per 15m"] }
              - { name: addresses, match: { operation: search }, key: [ip], limits: [3/h] }
              - { name: reports, match: { path: /reports/** }, key: service, limits: [10/d] }
              - { name: answers, match: { path: /late }, key: service, limits: [1/m], charge: { when: response, status: [500] } }
              - { name: places, match: { path: /late }, key: service, sharing: host, limits: [{ tokens: 1, algorithm: concurrency }] }
            costs:
              - { path: /reports/**, cost: 4 }
            """;

    @Test
    void theRulesOfTheDomainsServiceApplyToDescriptors() {
        restart(setup().rules(RULES));

        assertThat(service.told("shop", "method=POST,path=/login,user=alice")).isEqualTo("OK ok:0");
        assertThat(service.told("shop", "method=POST,path=/login?next=%2F,user=alice"))
                .isEqualTo("OVER_LIMIT over:0");
        assertThat(service.told("shop", "method=POST,path=/login,user=bob")).isEqualTo("OK ok:0");
        assertThat(service.told("shop", "method=GET,path=/login,user=bob")).isEqualTo("OK ok");
        assertThat(service.told("shop", "tier=gold,tenant=t", "operation=search,remote_address=192.0.2.7"))
                .isEqualTo("OK ok:1 ok:2");
        assertThat(service.told("other", "method=POST,path=/login,user=alice")).isEqualTo("OK ok");

        DescriptorStatus status = service.ask("shop", "tier=gold,tenant=u").getStatuses(0);
        assertThat(status.getCurrentLimit())
                .extracting(limit -> limit.getName(), limit -> limit.getRequestsPerUnit(), limit -> limit.getUnit())
                .containsExactly("tiers", 2, Unit.UNKNOWN);
    }

    @Test
    void hitsComeBeforeTheCostsOfRules() {
        restart(setup().rules(RULES));

        assertThat(service.told("shop", "path=/reports/a")).isEqualTo("OK ok:6");
        assertThat(told(service.ask(request("shop", "path=/reports/a").setHitsAddend(1))))
                .isEqualTo("OK ok:5");
        assertThat(look("path=/reports/a")).isEqualTo("OK ok:5");
    }

    @Test
    void rulesThatMustKnowHowARequestWentDoNotApply() {
        restart(setup().rules(RULES));

        for (int i = 0; i < 3; i++) {
            assertThat(service.told("shop", "path=/late")).isEqualTo("OK ok");
        }
    }

    @Test
    void aDescriptorFileAndRulesOfOneNameBothApply() {
        restart(setup().rules(RULES).descriptors("""
                domain: shop
                descriptors:
                  - key: path
                    descriptors:
                      - key: method
                        descriptors: [{ key: user, rate_limit: { unit: minute, requests_per_unit: 5 } }]
                """));

        assertThat(service.told("shop", "path=/login,method=POST,user=alice")).isEqualTo("OK ok:0");
        assertThat(service.told("shop", "path=/login,method=POST,user=alice")).isEqualTo("OVER_LIMIT over:0");
        assertThat(service.told("shop", "path=/other,method=POST,user=alice")).isEqualTo("OK ok:4");
    }

    @Test
    void listenersHearOfTheRuleAndOfTheEntries() {
        List<String> heard = Collections.synchronizedList(new ArrayList<>());
        restart(setup().descriptors(SHOP).listener(new RateLimitListener() {
            @Override
            public void onDecision(RequestContext context, Decision decision) {
                heard.add(context.user() + " "
                        + decision.limits().stream()
                                .map(limit -> limit.rule().name())
                                .collect(Collectors.joining(" ")) + " "
                        + decision.shadowRefusals().size());
            }
        }));

        service.told("shop", "user=quinn", "tenant=t", "shady=1");
        service.told("shop", "shady=1");

        assertThat(heard).containsExactly("quinn shop.user shop.tenant 0", "null  1");
    }

    @Test
    void whateverFailsInsideTheRequestPasses() {
        restart(setup().descriptors(() -> {
            throw new IllegalStateException("broken on purpose");
        }));

        assertThat(service.told("shop", "user=alice", "tenant=t")).isEqualTo("OK ok ok");
    }

    @Test
    void aStoreThatNeverAnswersLetsTheRequestPass() {
        restart(setup().descriptors(SHOP).store(new SilentStore()));

        assertThat(service.told("shop", "user=alice", "tenant=t")).startsWith("OK ok");
    }

    private static final class SilentStore implements BucketStore {

        @Override
        public CompletionStage<SpendOutcome> spend(List<Charge> charges, Duration timeout) {
            return new CompletableFuture<>();
        }

        @Override
        public CompletionStage<Void> refund(Receipt receipt, long tokens) {
            return new CompletableFuture<>();
        }

        @Override
        public void close() {}
    }

    @Test
    void callsAreTimedByTheirAnswer() {
        service.ask("shop", "user=rita");
        service.ask("shop", "blocked=1");
        assertThatThrownBy(() -> service.ask("")).isInstanceOf(StatusRuntimeException.class);

        assertThat(List.of("ok", "over_limit", "invalid_argument"))
                .allSatisfy(answer -> assertThat(service.meters
                                .get("ratelimit.envoy.requests")
                                .tag("answer", answer)
                                .timer()
                                .count())
                        .isEqualTo(1));
        assertThat(service.meters.get("ratelimit.envoy.connections").gauge().value())
                .isEqualTo(1);
    }

    @Test
    void aRefusalIsLoggedByDomainAndKeysAndWithoutAClient() {
        Logger logger = (Logger) LoggerFactory.getLogger("io.ratelimit.refusals");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        try {
            service.ask("shop", "us\ner=alice", "method=POST,path=/lo\ngin?token=s3cr3t", "blocked=s3cr3t");
        } finally {
            logger.detachAppender(lines);
        }
        assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .singleElement()
                .asString()
                .startsWith(
                        "Refused domain shop: us\\u000aer | method=POST, path=/lo\\u000agin | blocked by shop.blocked")
                .doesNotContain("alice", "s3cr3t", "token");
    }
}
