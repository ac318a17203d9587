package io.ratelimit.core.report;

/** Texts as reports hold them: what clients chose, and what went wrong, may be of any length. */
final class ReportedText {

    private static final int LONGEST = 1_000;

    private ReportedText() {}

    static String cut(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST);
    }
}
