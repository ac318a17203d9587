package io.ratelimit.server.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.Growth;
import io.ratelimit.server.document.RulesDiff.Kind;
import io.ratelimit.server.document.RulesDiff.Line;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RulesDiffTest {

    private static String numbers(int from, int to) {
        return IntStream.rangeClosed(from, to).mapToObj(i -> i + "\n").collect(Collectors.joining());
    }

    @Test
    void theSameTextsHaveNoHunks() {
        assertThat(RulesDiff.between("a\nb", "a\nb").hunks()).isEmpty();
        assertThat(RulesDiff.between("a\nb", "a\nb").unified("1", "2")).isEmpty();
    }

    @Test
    void theUnifiedDiffHasThreeLinesAround() {
        String before = numbers(1, 20);
        String after = before.replace("\n5\n", "\nfive\n5a\n").replace("\n19\n", "\n");
        assertThat(RulesDiff.between(before, after).unified("version 3", "version 4"))
                .isEqualTo("""
                --- version 3
                +++ version 4
                @@ -2,7 +2,8 @@
                 2
                 3
                 4
                -5
                +five
                +5a
                 6
                 7
                 8
                @@ -16,5 +17,4 @@
                 16
                 17
                 18
                -19
                 20
                """);
    }

    @Test
    void changesCloseToEachOtherShareAHunk() {
        String before = numbers(1, 20);
        String after = before.replace("\n5\n", "\nfive\n").replace("\n12\n", "\ntwelve\n");
        assertThat(RulesDiff.between(before, after).hunks()).hasSize(1);
        assertThat(RulesDiff.between(before, before.replace("\n5\n", "\nfive\n").replace("\n13\n", "\nx\n"))
                        .hunks())
                .hasSize(2);
    }

    @Test
    void linesKnowTheirNumbersInBothTexts() {
        assertThat(RulesDiff.between("a\nb\nc\n", "a\nx\nc\n").hunks().get(0).lines())
                .containsExactly(
                        new Line(Kind.EQUAL, 1, 1, "a"),
                        new Line(Kind.REMOVED, 2, 0, "b"),
                        new Line(Kind.ADDED, 0, 2, "x"),
                        new Line(Kind.EQUAL, 3, 3, "c"));
    }

    @Test
    void aMissingLastLineBreakIsSeen() {
        assertThat(RulesDiff.between("a\nb", "a\nb\n").unified("1", "2"))
                .isEqualTo("--- 1\n+++ 2\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n");
        assertThat(RulesDiff.between("", "b\n").unified("1", "2")).isEqualTo("--- 1\n+++ 2\n@@ -0,0 +1 @@\n+b\n");
    }

    @Test
    void textsThatHaveNothingInCommonAreComparedInTime() {
        assertThat(Growth.upTo(100_000, size -> {
                    String before = numbers(1, size);
                    String after = numbers(200_001, 200_000 + size);
                    return () -> RulesDiff.between(before, after);
                }))
                .isLessThan(Growth.NEARLY_LINEAR);
        RulesDiff diff = RulesDiff.between(numbers(1, 100_000), numbers(200_001, 300_000));
        assertThat(diff.hunks()).hasSize(1);
        assertThat(diff.hunks().get(0).lines()).hasSize(200_000);
    }
}
