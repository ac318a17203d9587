package io.ratelimit.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.ratelimit.rules.Identity.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class IdentityTest {

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"HEADER", "COOKIE", "ATTRIBUTE"})
    void aNamedKindNeedsAName(Kind kind) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Identity.of(kind))
                .withMessageContaining(kind.word() + ":NAME");
        assertThatIllegalArgumentException().isThrownBy(() -> new Identity(kind, " "));
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"USER", "IP", "BEARER"})
    void anotherKindTakesNoName(Kind kind) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Identity(kind, "x"))
                .withMessageContaining("takes no name");
    }

    @Test
    void anIdentityReadsLikeTheRulesFile() {
        assertThat(new Identity(Kind.HEADER, "X-Api-Key")).hasToString("header:X-Api-Key");
        assertThat(Identity.of(Kind.USER)).hasToString("user");
    }
}
