package io.ratelimit.core.client;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.ClientIdentifierBuilder;
import io.ratelimit.RequestContext;
import org.jspecify.annotations.Nullable;

/**
 * Builds identifiers of one part, and reads what they are built from for whoever can do without them. The kind keeps a
 * user named like a header's value apart from that value. Immutable; safe for use by any thread.
 */
public final class SingleIdentifier implements ClientIdentifierBuilder {

    /** All clients as one. */
    static final SingleIdentifier SERVICE = new SingleIdentifier(
            ClientIdentifier.SERVICE.kind(), context -> ClientIdentifier.SERVICE.kind(), ClientIdentifier.SERVICE);

    private final String kind;
    private final ClientValue source;
    private final @Nullable ClientIdentifier only;

    /**
     * Identifiers by a value.
     *
     * @param kind the identifiers' kind
     * @param source reads the value
     */
    SingleIdentifier(String kind, ClientValue source) {
        this(kind, source, null);
    }

    private SingleIdentifier(String kind, ClientValue source, @Nullable ClientIdentifier only) {
        this.kind = kind;
        this.source = source;
        this.only = only;
    }

    @Override
    public @Nullable ClientIdentifier build(RequestContext context) {
        String value = read(context);
        if (value == null) {
            return null;
        }
        return only == null ? ClientIdentifier.of(kind, value) : only;
    }

    /**
     * Reads what tells the client of a request apart.
     *
     * @param context the request
     * @return the value, not blank; null where the request does not carry it
     */
    public @Nullable String read(RequestContext context) {
        String value = source.read(context);
        return value == null || value.isBlank() ? null : value;
    }

    /**
     * What the value is.
     *
     * @return the kind of the identifiers
     */
    public String kind() {
        return kind;
    }

    /**
     * The one client that there is, whatever the value.
     *
     * @return the client, or null where the value tells clients apart
     */
    public @Nullable ClientIdentifier only() {
        return only;
    }
}
