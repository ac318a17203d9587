package io.ratelimit.server.traffic.replay;

import org.jspecify.annotations.Nullable;

/**
 * What the rules of one name made of the recorded requests.
 *
 * @param rule the rule's name
 * @param draft the rule of the draft, or null where it has none of this name
 * @param inForce the rule in force, or null where none has this name
 * @param reallyRefused how many requests that one of the two applies to were refused by the hosts, by whichever rule
 */
public record RuleReplay(
        String rule, @Nullable RuleFigures draft, @Nullable RuleFigures inForce, Estimate reallyRefused) {}
