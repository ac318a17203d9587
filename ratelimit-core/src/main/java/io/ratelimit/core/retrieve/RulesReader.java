package io.ratelimit.core.retrieve;

import io.ratelimit.rules.RuleSet;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.RulesException;

/** Turns a document into rules. Called by one thread at a time. */
@FunctionalInterface
public interface RulesReader {

    /**
     * Reads and checks a document.
     *
     * @param document the document as its source gave it
     * @return the rules, of the document's version
     * @throws RulesException if anything in the document is wrong
     */
    RuleSet read(RulesDocument document) throws RulesException;
}
