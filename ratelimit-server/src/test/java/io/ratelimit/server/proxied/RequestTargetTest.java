package io.ratelimit.server.proxied;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestTargetTest {

    @ParameterizedTest
    @CsvSource({
        "/login, /login",
        "/login?next=/a, /login",
        "/lo%67in, /login",
        "/a/../login, /login",
        "/login;v=1, /login",
        "//login, /login",
        "//host/login, /host/login",
        "/login#/a, /login",
        "/a%2Fb, /a/b",
        "login, /login",
        "'', /",
        "/%zz, /%zz",
        "/%, /%",
    })
    void thePathIsThatOfContainers(String raw, String path) {
        assertThat(RequestTarget.of(raw).path()).isEqualTo(path);
    }

    @Test
    void theQueryIsReadBehindTheFirstMark() {
        assertThat(RequestTarget.of("/a?b=1&b=2?").query().values("b")).containsExactly("1", "2?");
        assertThat(RequestTarget.of("/a").query().values("b")).isEmpty();
    }
}
