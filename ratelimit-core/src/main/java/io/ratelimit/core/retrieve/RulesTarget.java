package io.ratelimit.core.retrieve;

import io.ratelimit.rules.RuleSet;
import io.ratelimit.rules.RulesException;

/** Takes the rules that are to be in force. Called by one thread at a time. */
@FunctionalInterface
public interface RulesTarget {

    /**
     * Puts other rules in force.
     *
     * @param rules the rules
     * @throws RulesException if these rules cannot be put in force; those before must then stay as they are
     */
    void replace(RuleSet rules) throws RulesException;
}
