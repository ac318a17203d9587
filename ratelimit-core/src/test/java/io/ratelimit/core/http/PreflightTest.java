package io.ratelimit.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class PreflightTest {

    private static final Set<String> BOTH = Set.of("Origin", "Access-Control-Request-Method");

    @Test
    void onlyOptionsWithBothHeadersIsOne() {
        assertThat(Preflight.is("OPTIONS", BOTH::contains)).isTrue();
        assertThat(Preflight.is("options", BOTH::contains)).isFalse();
        assertThat(Preflight.is("GET", BOTH::contains)).isFalse();
        assertThat(BOTH).noneMatch(only -> Preflight.is("OPTIONS", only::equals));
    }
}
