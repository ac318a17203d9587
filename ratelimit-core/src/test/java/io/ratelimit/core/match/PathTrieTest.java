package io.ratelimit.core.match;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.rules.PathPattern;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathTrieTest {

    @ParameterizedTest
    @CsvSource({
        "/login, /login, true",
        "/login, /login/, true",
        "/login, //login, true",
        "/login, ///login//, true",
        "/login, /login;x, false",
        "/login, /./login, false",
        "/login, /x/../login, false",
        "/api/**, /api/items/..;x/..;y, true",
        "/api/**, /api/../.., true",
        "/orders/ping, /orders/ping;z, false",
        "/orders/*, /orders/ping;z, true",
        "/login, /logins, false",
        "/login, /log, false",
        "/login, /login/x, false",
        "/login, /LOGIN, false",
        "/, /, true",
        "/, '', true",
        "/, /x, false",
        "/users/*, /users/7, true",
        "/users/*, /users, false",
        "/users/*, /users/7/orders, false",
        "'/users/{id}', /users/7, true",
        "'/users/{id}/orders', /users/7/orders, true",
        "/api/**, /api, true",
        "/api/**, /api/, true",
        "/api/**, /api/a/b/c, true",
        "/api/**, /apis, false",
        "/**, /, true",
        "/**, /a/b, true",
        "/**/export, /export, true",
        "/**/export, /a/b/export, true",
        "/**/export, /a/export/b, false",
        "/a/**/b/**/c, /a/b/c, true",
        "/a/**/b/**/c, /a/x/b/y/z/b/c, true",
        "/a/**/b/**/c, /a/c/b, false"
    })
    void matchesWholeSegmentsHoweverThePathIsSpelt(String pattern, String path, boolean matches) {
        PathTrie<String> trie = new PathTrie<>();
        trie.add(PathPattern.parse(pattern), "found");
        assertThat(trie.matches(PathSegments.of(path))).isEqualTo(matches);
        assertThat(new PathAutomaton<>(trie, found -> !found.isEmpty()).of(path))
                .isEqualTo(matches);
    }

    @Test
    void findsAllPatternsThatMatch() {
        PathTrie<String> trie = new PathTrie<>();
        for (String pattern : List.of("/api/**", "/api/*/items", "/api/7/items", "/other", "/**")) {
            trie.add(PathPattern.parse(pattern), pattern);
        }
        List<String> found = new ArrayList<>();
        trie.match(PathSegments.of("/api/7/items"), found::add);
        assertThat(found).containsExactlyInAnyOrder("/api/**", "/api/*/items", "/api/7/items", "/**");
    }

    @Test
    @Timeout(value = 5, unit = SECONDS)
    void splittingTakesATimeThatGrowsWithThePathsLength() {
        assertThat(PathSegments.of("/a".repeat(1_000_000))).hasSize(1_000_000);
    }

    @Test
    @Timeout(value = 5, unit = SECONDS)
    void noPathMakesItBacktrack() {
        PathTrie<String> trie = new PathTrie<>();
        trie.add(PathPattern.parse("/**/a/**/a/**/a/**/a/**/a/**/a/**/b"), "found");
        assertThat(trie.matches(PathSegments.of("/a".repeat(50_000)))).isFalse();
    }
}
