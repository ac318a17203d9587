package io.ratelimit.server.console;

import io.ratelimit.server.traffic.replay.Basis;
import io.ratelimit.server.traffic.replay.Figures;
import io.ratelimit.server.traffic.replay.RuleFigures;
import io.ratelimit.server.traffic.replay.RuleReplay;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one rule, now and in the draft, makes of recorded requests, in words.
 *
 * @param rule its name
 * @param requests how many requests it applies to
 * @param inForce how many it refuses now
 * @param draft how many it refuses in the draft
 * @param difference how many more these are
 * @param notes what else it does
 */
record ReplayRow(String rule, String requests, String inForce, String draft, String difference, List<String> notes) {

    static ReplayRow of(RuleReplay replay) {
        RuleFigures inForce = replay.inForce();
        RuleFigures draft = replay.draft();
        List<String> notes = new ArrayList<>();
        if (inForce == null) {
            notes.add("new in the draft");
        }
        if (draft == null) {
            notes.add("not in the draft");
        }
        addNotes(notes, "now", inForce);
        addNotes(notes, "with the draft", draft);
        return new ReplayRow(
                replay.rule(),
                requests(draft != null ? draft : inForce),
                refused(inForce),
                refused(draft),
                isJudged(inForce) && isJudged(draft) ? Counted.difference(count(draft) - count(inForce)) : "–",
                notes);
    }

    /** Whether the rule applies to any request. */
    static boolean isBusy(RuleReplay replay) {
        return isBusy(replay.draft()) || isBusy(replay.inForce());
    }

    private static boolean isBusy(@Nullable RuleFigures rule) {
        return rule != null && (rule.basis() == Basis.NONE || rule.requests().count() > 0);
    }

    private static void addNotes(List<String> notes, String when, @Nullable RuleFigures rule) {
        if (rule == null || !isJudged(rule)) {
            return;
        }
        Figures figures = rule.figures();
        if (figures.waiting().count() > 0) {
            notes.add(Counted.estimate(figures.waiting()) + " wait " + when);
        }
        if (figures.shadow().count() > 0) {
            notes.add(Counted.estimate(figures.shadow()) + " only counted " + when + " (shadow)");
        }
    }

    private static String requests(@Nullable RuleFigures rule) {
        return rule == null ? "–" : Counted.estimate(rule.requests());
    }

    private static String refused(@Nullable RuleFigures rule) {
        if (rule == null) {
            return "–";
        }
        return isJudged(rule) ? Counted.estimate(rule.figures().refused()) : "cannot be told";
    }

    /** A rule that is not there refuses nothing. */
    private static long count(@Nullable RuleFigures rule) {
        return rule == null ? 0 : rule.figures().refused().count();
    }

    private static boolean isJudged(@Nullable RuleFigures rule) {
        return rule == null || rule.basis() != Basis.NONE;
    }
}
