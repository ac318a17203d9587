package io.ratelimit.core.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.net.InetAddresses;
import io.ratelimit.ClientIdentifier;
import io.ratelimit.ClientIdentifierBuilder;
import io.ratelimit.rules.AddressRange;
import io.ratelimit.rules.ClientAddressPolicy;
import io.ratelimit.rules.ClientAddressPolicy.ForwardingHeader;
import io.ratelimit.rules.Identity;
import io.ratelimit.rules.Identity.Kind;
import io.ratelimit.rules.Key;
import io.ratelimit.rules.RuleSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientIdentifiersTest {

    private static final Identity USER = Identity.of(Kind.USER);
    private static final Identity IP = Identity.of(Kind.IP);
    private static final Identity BEARER = Identity.of(Kind.BEARER);
    private static final Identity API_KEY = new Identity(Kind.HEADER, "X-Api-Key");
    private static final Identity SESSION = new Identity(Kind.COOKIE, "session");
    private static final Identity TENANT = new Identity(Kind.ATTRIBUTE, "tenant");

    private final ClientIdentifiers identifiers =
            new ClientIdentifiers(RuleSet.DEFAULT_CLIENTS, ClientAddressPolicy.DEFAULT);

    @Test
    void oneUserIsOneClientWhereverHeComesFrom() {
        assertThat(build(USER, anonymous().user("alice")))
                .isEqualTo(build(USER, StubRequest.from("192.0.2.9").user("alice")))
                .isEqualTo(ClientIdentifier.of("user", "alice"));
    }

    @Test
    void userNamesAreComparedExactly() {
        assertAllDiffer(
                build(USER, anonymous().user("alice@example.org")),
                build(USER, anonymous().user("Alice@example.org")),
                build(USER, anonymous().user(" alice@example.org ")),
                build(USER, anonymous().user("andr\u00E9@example.org")),
                build(USER, anonymous().user("andre\u0301@example.org")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "anonymous", "unknown", "-1"})
    void aUserWithAnOddNameIsAClientLikeAnyOther(String name) {
        ClientIdentifier client = buildClient(anonymous().user(name));
        assertThat(client).isEqualTo(ClientIdentifier.of("user", name));
        assertThat(client).isNotEqualTo(buildClient(anonymous()));
        assertThat(client).isNotEqualTo(buildClient(StubRequest.from(null).header("X-Api-Key", name)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t", "\u2003"})
    void missingEmptyAndBlankAreTheSame(String blank) {
        assertThat(build(USER, anonymous())).isNull();
        assertThat(build(USER, anonymous().user(blank))).isNull();
        assertThat(build(API_KEY, anonymous())).isNull();
        assertThat(build(API_KEY, anonymous().header("X-Api-Key", blank))).isNull();
        assertThat(build(SESSION, anonymous())).isNull();
        assertThat(build(SESSION, anonymous().cookie("session", blank))).isNull();
        assertThat(build(TENANT, anonymous())).isNull();
        assertThat(build(TENANT, anonymous().attribute("tenant", blank))).isNull();
        assertThat(build(BEARER, anonymous())).isNull();
        assertThat(build(BEARER, anonymous().header("Authorization", blank))).isNull();
        assertThat(build(BEARER, anonymous().header("Authorization", "Bearer" + blank)))
                .isNull();
        assertThat(build(IP, StubRequest.from(blank))).isNull();
        assertThat(build(IP, StubRequest.from(null))).isNull();
    }

    @Test
    void anonymousCallersFallBackToTheirOwnAddress() {
        ClientIdentifier one = buildClient(StubRequest.from("203.0.113.1"));
        ClientIdentifier two = buildClient(StubRequest.from("203.0.113.2").user(" "));
        assertThat(one).isEqualTo(ClientIdentifier.of("ip", "203.0.113.1"));
        assertThat(two).isEqualTo(ClientIdentifier.of("ip", "203.0.113.2"));
    }

    @Test
    void nobodyIsFoundWhereNoIdentityIsLeft() {
        assertThat(buildClient(StubRequest.from(null))).isNull();
        assertThat(new ClientIdentifiers(List.of(), ClientAddressPolicy.DEFAULT)
                        .builder(new Key.Client())
                        .build(anonymous().user("alice")))
                .isNull();
    }

    @Test
    void fallingBackDoesNotMergeKinds() {
        ClientIdentifierBuilder builder = identifiers.builder(new Key.FirstPresent(List.of(USER, API_KEY, SESSION)));
        assertAllDiffer(
                builder.build(anonymous().user("x")),
                builder.build(anonymous().header("X-Api-Key", "x")),
                builder.build(anonymous().cookie("session", "x")));
    }

    @Test
    void theFirstPresentIdentityWins() {
        ClientIdentifierBuilder builder = identifiers.builder(new Key.FirstPresent(List.of(API_KEY, USER)));
        assertThat(builder.build(anonymous().user("alice").header("X-Api-Key", "k")))
                .isEqualTo(ClientIdentifier.of("header:x-api-key", "k"));
    }

    @Test
    void equalValuesOfDifferentKindsAndNamesNeverMeet() {
        StubRequest request = StubRequest.from("192.0.2.7")
                .user("192.0.2.7")
                .header("X-Api-Key", "192.0.2.7")
                .header("Other", "192.0.2.7")
                .header("Authorization", "Bearer 192.0.2.7")
                .cookie("session", "192.0.2.7")
                .cookie("Session", "192.0.2.7")
                .attribute("tenant", "192.0.2.7");
        assertAllDiffer(
                build(USER, request),
                build(IP, request),
                build(API_KEY, request),
                build(new Identity(Kind.HEADER, "Other"), request),
                build(BEARER, request),
                build(SESSION, request),
                build(new Identity(Kind.COOKIE, "Session"), request),
                build(TENANT, request));
    }

    @Test
    void aHeadersNameIsTheSameInAnyCase() {
        StubRequest request = anonymous().header("X-Api-Key", "k");
        assertThat(build(new Identity(Kind.HEADER, "X-API-KEY"), request))
                .isEqualTo(build(new Identity(Kind.HEADER, "x-api-key"), request))
                .isNotNull();
    }

    @Test
    void aHeadersNameDoesNotDependOnTheHostsLanguage() {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("tr"));
            assertThat(build(new Identity(Kind.HEADER, "X-ID"), anonymous().header("X-ID", "k")))
                    .isEqualTo(ClientIdentifier.of("header:x-id", "k"));
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void spaceAroundAHeadersValueDoesNotCount() {
        assertThat(build(API_KEY, anonymous().header("X-Api-Key", " \tk ")))
                .isEqualTo(build(API_KEY, anonymous().header("X-Api-Key", "k")));
    }

    @Test
    void moreLinesOfAHeaderGiveNoFreshBucketAndNoEscape() {
        ClientIdentifier client = build(API_KEY, anonymous().header("X-Api-Key", "k"));
        assertThat(build(API_KEY, anonymous().header("X-Api-Key", "k", "1"))).isEqualTo(client);
        assertThat(build(API_KEY, anonymous().header("X-Api-Key", "k", "2"))).isEqualTo(client);
        assertThat(build(API_KEY, anonymous().header("X-Api-Key", "", " ", "k")))
                .isEqualTo(client);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Bearer K", "bearer K", "BEARER  K", "bEaReR    K", " Bearer K ", "Bearer \t K", "\tBearer K\t"})
    void theBearerSchemeIsReadInAnyCaseAndSpacing(String line) {
        assertThat(build(BEARER, anonymous().header("Authorization", line)))
                .isEqualTo(ClientIdentifier.of("bearer", "K"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x Bearer K",
                "Bearer",
                "Bearer ",
                "BearerK",
                "Bearer: K",
                "Bearer K L",
                "Bearer K, Bearer L",
                "Basic K",
                "K",
                "Bea rer K",
                "Bearer,K",
                "\"Bearer\" K"
            })
    void whatIsNotOneBearerCredentialIsMissing(String line) {
        assertThat(build(BEARER, anonymous().header("Authorization", line))).isNull();
    }

    @Test
    void credentialsAreComparedExactly() {
        assertAllDiffer(
                build(BEARER, anonymous().header("Authorization", "Bearer k")),
                build(BEARER, anonymous().header("Authorization", "Bearer K")),
                build(BEARER, anonymous().header("Authorization", "Bearer K=")));
    }

    @Test
    void aLineOfAnotherSchemeDoesNotHideTheBearerCredential() {
        assertThat(build(BEARER, anonymous().header("Authorization", "Basic x", "Bearer K")))
                .isEqualTo(ClientIdentifier.of("bearer", "K"));
    }

    @Test
    void anAttributeIsReadAsText() {
        assertThat(build(TENANT, anonymous().attribute("tenant", 42)))
                .isEqualTo(ClientIdentifier.of("attribute:tenant", "42"));
    }

    @Test
    void anAttributeWithoutTextIsMissing() {
        Object silent = new Object() {
            @Override
            public @Nullable String toString() {
                return null;
            }
        };
        assertThat(build(TENANT, anonymous().attribute("tenant", silent))).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "64, 2001:db8:0:7::1, 2001:db8:0:7::/64",
        "64, 2001:db8:0:7:ffff:ffff:ffff:ffff, 2001:db8:0:7::/64",
        "128, 2001:DB8:0:0::1, 2001:db8:0:0:0:0:0:1/128",
        "127, ::f, 0:0:0:0:0:0:0:e/127",
        "112, 2001:db8::a:1, 2001:db8:0:0:0:0:a::/112",
        "56, 2001:db8:0:1ff::1, 2001:db8:0:100::/56",
        "60, 2001:db8:0:1ff::1, 2001:db8:0:1f0::/60",
        "33, 2001:db8:ffff::1, 2001:db8:8000::/33",
        "1, ffff::1, 8000::/1",
        "64, ::1, 0:0:0:0::/64",
        "64, 2001:db8:0:70a0::1, 2001:db8:0:70a0::/64",
        "64, ::ffff:192.0.2.7, 192.0.2.7",
        "1, 192.0.2.7, 192.0.2.7"
    })
    void anIpv6NetworkIsOneClient(int prefix, String peer, String text) {
        ClientAddressPolicy policy = new ClientAddressPolicy(List.of(), ForwardingHeader.X_FORWARDED_FOR, prefix);
        ClientIdentifierBuilder builder = new ClientIdentifiers(List.of(IP), policy).builder(new Key.Client());
        assertThat(builder.build(StubRequest.from(peer))).isEqualTo(ClientIdentifier.of("ip", text));
    }

    @ParameterizedTest
    @ValueSource(strings = {" 192.0.2.7", "192.0.2.7:80", "::ffff:192.0.2.7", "[::ffff:c000:207]:80"})
    void anAddressIsOneClientHoweverItIsWritten(String peer) {
        assertThat(build(IP, StubRequest.from(peer)))
                .isEqualTo(build(IP, StubRequest.from("192.0.2.7")))
                .isEqualTo(ClientIdentifier.of("ip", "192.0.2.7"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "192.0.2",
                "192.0.2.",
                "192.0.2.7.",
                ".192.0.2",
                "192..2.7",
                "1.2.3.4.5",
                "192.0.2.256",
                "192.0.2.07",
                "192.0.2.00",
                "1.2.3.99999999999",
                "....",
                "1.2.3.\u0664",
                "1.2.3.-4"
            })
    void whatIsNoAddressIsNoClient(String peer) {
        assertThat(build(IP, StubRequest.from(peer))).isNull();
    }

    @Test
    void behindATrustedProxyRotatingTheHeaderGivesNoFreshBucket() {
        ClientAddressPolicy policy = new ClientAddressPolicy(
                List.of(new AddressRange(InetAddresses.forString("10.0.0.0"), 8)),
                ForwardingHeader.X_FORWARDED_FOR,
                64);
        ClientIdentifierBuilder builder = new ClientIdentifiers(List.of(IP), policy).builder(new Key.Client());
        Set<ClientIdentifier> clients = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            clients.add(builder.build(
                    StubRequest.from("10.0.0.5").header("X-Forwarded-For", "198.51.100." + i + ", 203.0.113.50")));
        }
        clients.add(builder.build(StubRequest.from("203.0.113.50").header("X-Forwarded-For", "198.51.100.1")));
        assertThat(clients).containsExactly(ClientIdentifier.of("ip", "203.0.113.50"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"_", ":", "|", "/", ",", "=", "+", ";"})
    void pairsThatSpellTheSameTextAreDifferentClients(String separator) {
        assertAllDiffer(pair("a", "b" + separator + "c"), pair("a" + separator + "b", "c"));
    }

    @Test
    void aPairWithAnEmptyPartIsMissing() {
        assertThat(pair("", "abc")).isNull();
        assertThat(pair("abc", "")).isNull();
        assertThat(pair("abc", " ")).isNull();
    }

    @Test
    void aPairIsOneClientHoweverOftenItIsSeen() {
        assertThat(pair("a", "b")).isEqualTo(pair("a", "b"));
        assertAllDiffer(pair("a", "b"), pair("b", "a"), build(USER, anonymous().user("a")));
    }

    @Test
    void theServiceIsOneClient() {
        assertThat(identifiers.builder(new Key.Service()).build(anonymous())).isSameAs(ClientIdentifier.SERVICE);
    }

    @Test
    void equalKeysHaveOneBuilder() {
        assertThat(identifiers.builder(new Key.Composite(List.of(USER, IP))))
                .isSameAs(identifiers.builder(new Key.Composite(List.of(USER, IP))));
    }

    private @Nullable ClientIdentifier pair(String login, String apiKey) {
        return identifiers
                .builder(new Key.Composite(List.of(USER, API_KEY)))
                .build(anonymous().user(login).header("X-Api-Key", apiKey));
    }

    private @Nullable ClientIdentifier build(Identity identity, StubRequest request) {
        return identifiers.builder(new Key.Composite(List.of(identity))).build(request);
    }

    private @Nullable ClientIdentifier buildClient(StubRequest request) {
        return identifiers.builder(new Key.Client()).build(request);
    }

    private static StubRequest anonymous() {
        return StubRequest.from("203.0.113.1");
    }

    private static void assertAllDiffer(ClientIdentifier... clients) {
        assertThat(clients).doesNotContainNull().doesNotHaveDuplicates();
        assertThat(clients).extracting(ClientIdentifier::canonical).doesNotHaveDuplicates();
    }
}
