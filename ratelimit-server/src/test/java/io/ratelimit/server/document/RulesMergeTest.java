package io.ratelimit.server.document;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RulesMergeTest {

    private static final String BASE = "a\nb\nc\nd\ne\n";

    private final RulesMerge merge = new RulesMerge();

    @Test
    void changesOfDifferentLinesAreBothMade() {
        assertThat(merge.merged(BASE, "a\nB\nc\nd\ne\n", "a\nb\nc\nd2\nd3\ne\n"))
                .contains("a\nB\nc\nd2\nd3\ne\n");
        assertThat(merge.merged(BASE, "b\nc\nd\ne\n", "a\nb\nc\nd\ne\nf")).contains("b\nc\nd\ne\nf");
        assertThat(merge.merged(BASE, BASE, "x\n")).contains("x\n");
        assertThat(merge.merged(BASE, "x\n", BASE)).contains("x\n");
    }

    @Test
    void lineBreaksStayAsTheyAre() {
        assertThat(merge.merged("a\r\nb\r\nc\r\n", "A\r\nb\r\nc\r\n", "a\r\nb\r\nC\r\n"))
                .contains("A\r\nb\r\nC\r\n");
    }

    @Test
    void whatBothHaveChangedAlikeIsChangedOnce() {
        assertThat(merge.merged(BASE, "a\nB\nc\nd\ne\n", "a\nB\nc\nd\nE\n")).contains("a\nB\nc\nd\nE\n");
        assertThat(merge.merged(BASE, BASE + "f\n", BASE + "f\n")).contains(BASE + "f\n");
    }

    @Test
    void changesOfTheSameLinesOrSideBySideAreLeftToPeople() {
        assertThat(merge.merged(BASE, "a\nB\nc\nd\ne\n", "a\nb2\nc\nd\ne\n")).isEmpty();
        assertThat(merge.merged(BASE, "a\nB\nc\nd\ne\n", "a\nb\nC\nd\ne\n")).isEmpty();
        assertThat(merge.merged(BASE, BASE + "f\n", BASE + "g\n")).isEmpty();
        assertThat(merge.merged(BASE, "a\nc\nd\ne\n", "a\nb\nb2\nc\nd\ne\n")).isEmpty();
    }
}
