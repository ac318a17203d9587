package io.ratelimit.core.rules;

import java.util.Optional;

/**
 * Reads documents into trees of nodes, with bounds that keep a hostile one cheap.
 *
 * <p>A document is UTF-8 text of at most 4 MiB. If its first character other than blanks is <code>{</code> it is JSON
 * (RFC 8259), otherwise YAML 1.2 under the core schema, without tags. A document of either kind has at most 100,000
 * values (what an alias stands for counts each time), nested at most 50 deep, of at most 4,096 characters each.
 *
 * <p>Any number of threads may share one reader.
 */
public final class DocumentReader {

    private final DocumentKind kind;
    private final DocumentText text;
    private final JsonReader json;
    private final YamlReader yaml;

    /**
     * Makes a reader.
     *
     * @param kind what the documents are, for messages
     */
    public DocumentReader(DocumentKind kind) {
        this.kind = kind;
        this.text = new DocumentText(kind);
        this.json = new JsonReader(kind);
        this.yaml = new YamlReader(kind);
    }

    /**
     * Reads a document.
     *
     * @param content the document's bytes
     * @param problems hears what is wrong
     * @return the document's mapping; empty where it cannot be read, or is something else
     */
    public Optional<Cursor> read(byte[] content, Problems problems) {
        try {
            Node root = tree(text.decode(content));
            if (!(root instanceof Node.Mapping)) {
                throw kind.noMapping(root);
            }
            return Optional.of(new Cursor(root, "", problems));
        } catch (SyntaxException e) {
            problems.add(e.line(), e.column(), null, String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private Node tree(String decoded) throws SyntaxException {
        return decoded.stripLeading().startsWith("{") ? json.read(decoded) : yaml.read(decoded);
    }
}
