package io.ratelimit.server.traffic.replay;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a draft of rules would have done to recorded requests, beside what the rules in force would have done and what the
 * hosts really did.
 *
 * @param from when the first request was decided, or null where none was recorded
 * @param to when the last one was that was looked at
 * @param recorded how many requests the recording holds
 * @param lookedAt how many of them were looked at, the first ones, before the time was over
 * @param requests how many requests these stand for
 * @param reallyRefused how many the hosts refused
 * @param sincePublished those of them that were decided after the rules in force were published
 * @param draft what became of them under the draft
 * @param inForce what became of them under the rules in force
 * @param rules the same rule by rule: those of the draft in their order, then those that it takes away
 * @param newlyRefused the clients of whose requests the draft refuses most that pass under the rules in force, at most 20
 * @param newlyPassed the clients of whose requests the draft lets most pass that the rules in force refuse, at most 20
 * @param warmUp the part of the recording in which both may let too much pass
 * @param notes what else is to be known to judge the figures, in sentences
 */
public record ReplayResult(
        @Nullable Instant from,
        @Nullable Instant to,
        int recorded,
        int lookedAt,
        Estimate requests,
        Estimate reallyRefused,
        SincePublished sincePublished,
        Figures draft,
        Figures inForce,
        List<RuleReplay> rules,
        List<ClientChange> newlyRefused,
        List<ClientChange> newlyPassed,
        WarmUp warmUp,
        List<String> notes) {

    /** Copies the lists. */
    public ReplayResult {
        rules = List.copyOf(rules);
        newlyRefused = List.copyOf(newlyRefused);
        newlyPassed = List.copyOf(newlyPassed);
        notes = List.copyOf(notes);
    }
}
