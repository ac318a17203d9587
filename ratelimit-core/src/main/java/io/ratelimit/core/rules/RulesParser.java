package io.ratelimit.core.rules;

import io.ratelimit.rules.RuleSet;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.RulesException;
import java.util.Optional;

/**
 * Reads a rules document into the model. Strict, and all or nothing: what is unknown, stands twice or is out of range
 * refuses the document as a whole, and all problems are named together.
 *
 * <p>The document's form and bounds are those of {@link DocumentReader}.
 *
 * <p>Any number of threads may share one parser.
 */
public final class RulesParser {

    /** The most bytes of a document, 4 MiB: far above any real rules, far below what would hurt the host. */
    public static final int MOST_BYTES = 4 << 20;

    private static final DocumentKind KIND = new DocumentKind(
            "rules document", "'service' and 'rules' (rules: [] for none)", "'service: orders' and 'rules:'");

    private final DocumentReader reader = new DocumentReader(KIND);
    private final RuleSetReader ruleSet = new RuleSetReader();

    /** Makes a parser. */
    public RulesParser() {}

    /**
     * Reads a document.
     *
     * @param document the document, whose version becomes the rule set's
     * @return the rules
     * @throws RulesException if anything is wrong with the document; it has the problems in the document's order, the
     *     first 1,000 at most
     */
    public RuleSet parse(RulesDocument document) throws RulesException {
        Problems problems = new Problems(document.location());
        Optional<RuleSet> rules =
                reader.read(document.content(), problems).flatMap(root -> ruleSet.read(root, document.version()));
        if (rules.isEmpty() || problems.areFound()) {
            throw new RulesException(problems.inOrder());
        }
        return rules.get();
    }
}
