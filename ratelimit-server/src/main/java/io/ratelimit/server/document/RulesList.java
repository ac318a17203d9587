package io.ratelimit.server.document;

/** The list of rules in a document's text. Each method gives the whole text as it would be then. */
interface RulesList {

    /** The list of a document that the rules parser has accepted. */
    static RulesList in(String document, DocumentPlaces places) throws RuleEditException {
        Span list = places.find("rules").orElseThrow();
        TextLines lines = new TextLines(document);
        if (!list.isFlow() || isNoneInBlock(lines, places, list)) {
            return new BlockRules(lines, places, list);
        }
        return new FlowRules(lines, places.itemsOf("rules"), list);
    }

    /** {@code rules: []} with the line to itself becomes a list with dashes. */
    private static boolean isNoneInBlock(TextLines lines, DocumentPlaces places, Span list) {
        return !places.isFlow()
                && lines.isBlank(list.start() + 1, list.end() - 1)
                && lines.lineStart(list.start()) == lines.lineStart(list.end())
                && lines.isOver(list.end());
    }

    String append(RuleText rule) throws RuleEditException;

    String replace(int index, RuleText rule);

    String remove(int index) throws RuleEditException;
}
