package io.ratelimit.core.retrieve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.ratelimit.rules.RulesSource;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RulesSourcesTest {

    private final RulesSourceSettings settings =
            RulesSourceSettings.of(getClass().getClassLoader());

    @ParameterizedTest
    @CsvSource({
        "classpath:ratelimit.yaml, classpath:ratelimit.yaml",
        "classpath:/a/b.yaml, classpath:a/b.yaml",
        "file:/etc/ratelimit.yaml, /etc/ratelimit.yaml",
        "file:///etc/rate%20limit.yaml, /etc/rate limit.yaml",
        "FILE:/etc/ratelimit.yaml, /etc/ratelimit.yaml",
        "/etc/ratelimit.yaml, /etc/ratelimit.yaml",
        "http://rules:8080/v1/services/orders/rules?x=1#part, http://rules:8080/v1/services/orders/rules?#1f206b11",
        "HTTPS://rules/a%2Fb, HTTPS://rules/a%2Fb",
        "http://[::1]:80/r, http://[::1]:80/r",
    })
    void aLocationNamesItsSource(String location, String expected) {
        assertThat(source(location).location()).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ratelimit.yaml", "file:ratelimit.yaml"})
    void aRelativePathIsMadeAbsoluteForMessages(String location) {
        assertThat(source(location).location())
                .isEqualTo(Path.of("ratelimit.yaml").toAbsolutePath().toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ftp://user:secret@host/r",
                "jdbc:h2:mem",
                "classpath*:r.yaml",
                "",
                "  ",
                "file:",
                "classpath:",
                "classpath:/",
                "file://host/r.yaml",
                "http:/r.yaml",
                "https://"
            })
    void whatIsNoLocationIsRefusedWithWhatWouldBeRight(String location) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> source(location))
                .withMessageMatching("(?s).*(write|valid).*")
                .withMessageNotContaining("secret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://user:secret@rules:99999999999/r", "http://user:s ecret@rules/r", "http://user:secret@/r",
                "http://us:er@secret@rules/r", "http://user:secret@ru_les/r", "http://user:sec%zzret@rules/r"
            })
    void aMalformedUrlIsRefusedWithoutShowingItsCredentials(String location) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> source(location))
                .withMessageNotContaining("ecret")
                .withMessageNotContaining("user:");
    }

    @Test
    void credentialsOfAUrlAreNotPartOfTheLocation() {
        HttpLocation location = HttpLocation.parse("http://us%40er:s%3Aecret@rules:1/r", null);

        assertThat(location.location()).isEqualTo("http://rules:1/r");
        assertThat(location).hasToString("http://rules:1/r");
        assertThat(location.authorization()).isEqualTo("Basic dXNAZXI6czplY3JldA==");
    }

    @ParameterizedTest
    @CsvSource({
        "http://rules/v1/rules, events, http://rules/v1/events",
        "http://rules/v1/rules, /events?x=1#part, http://rules/events?x=1",
        "http://rules/v1/rules, http://RULES:80/events, http://RULES:80/events",
        "https://rules/v1/rules, https://rules:443/events, https://rules:443/events",
        "http://rules:81/v1/rules, //rules:81/events, http://rules:81/events",
        "http://rules/v1/rules, http://rules:81/events,",
        "http://rules/v1/rules, https://rules/events,",
        "https://rules/v1/rules, http://rules:443/events,",
        "http://rules/v1/rules, //other/events,",
        "http://rules/v1/rules, http://rules@other/events,",
        "http://rules, .other/events, http://rules/.other/events",
        "http://rules/v1/rules, mailto:a,",
        "http://rules/v1/rules, 'http://rules/a b',",
    })
    void credentialsFollowALinkToTheSameOriginOnly(String rules, String link, @Nullable String target) {
        assertThat(HttpLocation.parse(rules, "t0ken").onSameOrigin(link))
                .isEqualTo(Optional.ofNullable(target).map(uri -> new HttpLocation(URI.create(uri), "Bearer t0ken")));
    }

    @Test
    void twoKindsOfCredentialsAreOneTooMany() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RulesSources.of("http://user:secret@rules/r", settings.withBearerToken("token")))
                .withMessageContaining("keep one")
                .withMessageNotContaining("secret");
    }

    @Test
    void aTokenIsHiddenAndChecked() {
        assertThat(settings.withBearerToken("hush").toString()).doesNotContain("hush");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings.withBearerToken("hush\r\nX-Evil: 1"))
                .withMessageNotContaining("hush");
    }

    @Test
    void eachKindOfSourceHasItsPollInterval() {
        assertThat(PollSchedule.defaultFor(source("classpath:r")).interval()).isZero();
        assertThat(PollSchedule.defaultFor(source("/r"))).isEqualTo(seconds(1, 1));
        assertThat(PollSchedule.defaultFor(source("http://h/r"))).isEqualTo(seconds(5, 60));
        assertThat(PollSchedule.of(source("http://h/r"), Duration.ofSeconds(2))).isEqualTo(seconds(2, 60));
        assertThat(PollSchedule.of(source("http://h/r"), Duration.ofSeconds(90)))
                .isEqualTo(seconds(90, 90));
        assertThat(PollSchedule.of(source("/r"), Duration.ofSeconds(3))).isEqualTo(seconds(3, 3));
    }

    private static PollSchedule seconds(int interval, int max) {
        return new PollSchedule(Duration.ofSeconds(interval), Duration.ofSeconds(max));
    }

    private RulesSource source(String location) {
        return RulesSources.of(location, settings);
    }
}
