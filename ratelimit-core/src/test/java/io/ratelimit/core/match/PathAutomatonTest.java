package io.ratelimit.core.match;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.rules.PathPattern;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PathAutomatonTest {

    private static final String[] SEGMENTS = {"a", "b", "ab", "ba", "Aa", "BB", "*", "**"};

    private final Random random = new Random(4711);

    private static PathTrie<String> trie(List<String> patterns) {
        PathTrie<String> trie = new PathTrie<>();
        patterns.forEach(pattern -> trie.add(PathPattern.parse(pattern), pattern));
        return trie;
    }

    private static List<String> walked(PathTrie<String> trie, String path) {
        List<String> found = new ArrayList<>();
        trie.match(PathSegments.of(path), found::add);
        return found.stream().sorted().toList();
    }

    private static PathAutomaton<String, List<String>> automaton(PathTrie<String> trie, int mostPlaces) {
        return new PathAutomaton<>(trie, found -> found.stream().sorted().toList(), mostPlaces);
    }

    private List<String> randomPatterns() {
        return random.ints(1 + random.nextInt(8), 0, 5)
                .mapToObj(length -> randomText(length, SEGMENTS.length))
                .distinct()
                .toList();
    }

    private String randomText(int segments, int of) {
        StringBuilder text = new StringBuilder(segments == 0 ? "/" : "");
        for (int i = 0; i < segments; i++) {
            text.append('/').append(SEGMENTS[random.nextInt(of)]);
        }
        return text.toString();
    }

    /** Among the segments are two with the same hash. */
    @ParameterizedTest
    @ValueSource(ints = {0, 30, 100_000})
    void findsWhatTheTreeFindsHoweverFewStatesThereIsRoomFor(int mostPlaces) {
        assertThat("Aa").hasSameHashCodeAs("BB");
        for (int round = 0; round < 300; round++) {
            PathTrie<String> trie = trie(randomPatterns());
            PathAutomaton<String, List<String>> automaton = automaton(trie, mostPlaces);
            for (int i = 0; i < 100; i++) {
                String path = randomText(random.nextInt(6), 6);
                assertThat(automaton.of(path)).as(path).isEqualTo(walked(trie, path));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "//", "/a", "a", "/a/", "//a//", "/a//b", "/a/b/c/d/e/f", "/aa", "/a;b"})
    void spellsPathsAsTheTreeDoes(String path) {
        PathTrie<String> trie = trie(List.of("/", "/a", "/a/*", "/a/**", "/**/b", "/*"));
        assertThat(automaton(trie, 100_000).of(path)).isEqualTo(walked(trie, path));
    }

    @Test
    void pathsThatNoPatternNamesMakeNoStates() {
        PathTrie<String> trie = trie(List.of("/api/**", "/api/*/items", "/**/export"));
        List<List<String>> results = new ArrayList<>();
        PathAutomaton<String, List<String>> automaton = new PathAutomaton<>(trie, found -> {
            results.add(found);
            return found;
        });
        for (int i = 0; i < 10_000; i++) {
            automaton.of("/" + random.nextInt() + "/" + random.nextInt());
            automaton.of("/api/" + random.nextInt() + "/" + random.nextInt() + "/x");
        }
        assertThat(results).hasSizeLessThan(10);
    }

    /** After n segments the tree is at one of 2^n sets of places. */
    @Test
    @Timeout(value = 20, unit = SECONDS)
    void patternsThatNeedMoreStatesThanThereIsRoomForAreWalked() {
        PathTrie<String> trie = trie(List.of("/**/a" + "/*".repeat(24)));
        PathAutomaton<String, List<String>> automaton = automaton(trie, 20_000);
        for (int i = 0; i < 20_000; i++) {
            String path = randomText(26, 2);
            assertThat(automaton.of(path)).isEqualTo(walked(trie, path));
        }
    }

    @Test
    void manyThreadsMayMakeStatesAtOnce() throws Exception {
        PathTrie<String> trie = trie(List.of("/a/**", "/**/b", "/*/ab/*", "/a/b/ab", "/ba/**/a"));
        String[] paths = random.ints(2_000, 0, 6)
                .mapToObj(length -> randomText(length, 6))
                .toArray(String[]::new);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            for (int round = 0; round < 20; round++) {
                PathAutomaton<String, List<String>> automaton = automaton(trie, 100_000);
                Callable<List<List<String>>> all =
                        () -> Arrays.stream(paths).map(automaton::of).toList();
                List<List<String>> expected =
                        Arrays.stream(paths).map(path -> walked(trie, path)).toList();
                for (Future<List<List<String>>> found : threads.invokeAll(List.of(all, all, all, all))) {
                    assertThat(found.get()).isEqualTo(expected);
                }
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
