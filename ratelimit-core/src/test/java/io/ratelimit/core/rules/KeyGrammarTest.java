package io.ratelimit.core.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.ratelimit.rules.Identity;
import io.ratelimit.rules.Identity.Kind;
import io.ratelimit.rules.Key;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyGrammarTest {

    private final KeyGrammar grammar = new KeyGrammar();

    @ParameterizedTest
    @CsvSource({
        "user, USER,",
        "ip, IP,",
        "bearer, BEARER,",
        "header:X-Api-Key, HEADER, X-Api-Key",
        "cookie:sid, COOKIE, sid",
        "attribute:tenant, ATTRIBUTE, tenant",
        "attribute:com.example:tenant id, ATTRIBUTE, com.example:tenant id"
    })
    void anIdentityIsAKindAndForSomeKindsAName(String text, Kind kind, String name) {
        assertThat(grammar.identity(text)).isEqualTo(new Identity(kind, name));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "usr|'usr' is no identity; did you mean 'user'?; identities are user, ip, bearer, header:NAME, cookie:NAME, attribute:NAME",
                "User|did you mean 'user'?",
                "``|is no identity",
                "header|'header' needs a name behind it: header:NAME",
                "cookie:|holds no valid name",
                "header: X-Api-Key|write header:NAME, without blanks",
                "header:X Api|holds no valid name",
                "header:X-Äpi|holds no valid name",
                "`attribute: `|holds no valid name",
                "user:ops|'user:ops' takes no name; write user",
                "service|'service' is no identity: it stands alone under 'key'"
            })
    void whatIsNoIdentityIsRefusedWithWhatWouldBeRight(String text, String fragment) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> grammar.identity(text))
                .withMessageContaining(fragment);
    }

    @Test
    void noTextIsTheClientAsTheRulesFindIt() {
        assertThat(grammar.key(List.of())).isEqualTo(new Key.Client());
    }

    @Test
    void theWordServiceIsOneBucketForEverybody() {
        assertThat(grammar.key(List.of("service"))).isEqualTo(new Key.Service());
    }

    @Test
    void severalIdentitiesAreAComposite() {
        assertThat(grammar.key(List.of("user", "ip")))
                .isEqualTo(new Key.Composite(List.of(Identity.of(Kind.USER), Identity.of(Kind.IP))));
        assertThat(grammar.key(List.of("bearer"))).isEqualTo(new Key.Composite(List.of(Identity.of(Kind.BEARER))));
    }

    @Test
    void theWordServiceStandsAlone() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> grammar.key(List.of("user", "service")))
                .withMessageContaining("stands alone");
    }

    @Test
    void anIdentityStandsOnceInAKey() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> grammar.key(List.of("user", "ip", "user")))
                .withMessageContaining("'user' stands twice");
    }
}
