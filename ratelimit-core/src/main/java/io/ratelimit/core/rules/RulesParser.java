package io.ratelimit.core.rules;

import io.ratelimit.rules.RuleSet;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.RulesException;
import java.util.Optional;

/**
 * Reads a rules document into the model. Strict, and all or nothing: what is unknown, stands twice or is out of range
 * refuses the document as a whole, and all problems are named together.
 *
 * <p>A document is UTF-8 text of at most 4 MiB. If its first character other than blanks is <code>{</code> it is JSON
 * (RFC 8259), otherwise YAML 1.2 under the core schema, without tags. A document of either kind has at most 100,000
 * values (what an alias stands for counts each time), nested at most 50 deep, of at most 4,096 characters each.
 *
 * <p>Any number of threads may share one parser.
 */
public final class RulesParser {

    /** The most bytes of a document, 4 MiB: far above any real rules, far below what would hurt the host. */
    public static final int MOST_BYTES = 4 << 20;

    private final DocumentText text = new DocumentText();
    private final JsonReader json = new JsonReader();
    private final YamlReader yaml = new YamlReader();
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
        Optional<RuleSet> rules = Optional.empty();
        try {
            rules = read(tree(document.content()), problems, document.version());
        } catch (SyntaxException e) {
            problems.add(e.line(), e.column(), null, String.valueOf(e.getMessage()));
        }
        if (rules.isEmpty() || problems.areFound()) {
            throw new RulesException(problems.inOrder());
        }
        return rules.get();
    }

    private Node tree(byte[] content) throws SyntaxException {
        String decoded = text.decode(content);
        return decoded.stripLeading().startsWith("{") ? json.read(decoded) : yaml.read(decoded);
    }

    private Optional<RuleSet> read(Node root, Problems problems, long version) throws SyntaxException {
        if (!(root instanceof Node.Mapping)) {
            throw new SyntaxException(
                    root.line(),
                    root.column(),
                    "the document is no mapping; it begins with fields such as 'service: orders' and 'rules:'");
        }
        return ruleSet.read(new Cursor(root, "", problems), version);
    }
}
