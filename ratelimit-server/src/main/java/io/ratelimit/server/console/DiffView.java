package io.ratelimit.server.console;

import io.ratelimit.server.document.RulesDiff;
import io.ratelimit.server.document.RulesDiff.Hunk;
import java.util.ArrayList;
import java.util.List;

/**
 * As much of a difference as a page can show.
 *
 * @param label what differs from what
 * @param hunks the first differences
 * @param left how many lines are not shown
 */
record DiffView(String label, List<Hunk> hunks, int left) {

    private static final int MOST_LINES = 1_000;

    static DiffView between(String label, String before, String after) {
        List<Hunk> shown = new ArrayList<>();
        int room = MOST_LINES;
        int left = 0;
        for (Hunk hunk : RulesDiff.between(before, after).hunks()) {
            int lines = Math.min(room, hunk.lines().size());
            if (lines > 0) {
                shown.add(new Hunk(hunk.lines().subList(0, lines)));
            }
            room -= lines;
            left += hunk.lines().size() - lines;
        }
        return new DiffView(label, shown, left);
    }

    boolean isNone() {
        return hunks.isEmpty();
    }
}
