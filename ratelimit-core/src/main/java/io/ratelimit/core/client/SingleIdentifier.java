package io.ratelimit.core.client;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.ClientIdentifierBuilder;
import io.ratelimit.RequestContext;
import org.jspecify.annotations.Nullable;

/**
 * Builds identifiers of one part. The kind keeps a user named like a header's value apart from that value.
 *
 * @param kind the identifier's kind
 * @param source reads the value
 */
record SingleIdentifier(String kind, ClientValue source) implements ClientIdentifierBuilder {

    @Override
    public @Nullable ClientIdentifier build(RequestContext context) {
        String value = source.read(context);
        return value == null || value.isBlank() ? null : ClientIdentifier.of(kind, value);
    }
}
