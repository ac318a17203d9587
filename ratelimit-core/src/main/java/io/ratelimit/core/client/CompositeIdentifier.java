package io.ratelimit.core.client;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.ClientIdentifierBuilder;
import io.ratelimit.RequestContext;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds identifiers that need all their parts.
 *
 * @param parts builds each part
 */
record CompositeIdentifier(List<SingleIdentifier> parts) implements ClientIdentifierBuilder {

    @Override
    public @Nullable ClientIdentifier build(RequestContext context) {
        ClientIdentifier[] built = new ClientIdentifier[parts.size()];
        for (int i = 0; i < built.length; i++) {
            ClientIdentifier part = parts.get(i).build(context);
            if (part == null) {
                return null;
            }
            built[i] = part;
        }
        return ClientIdentifier.composite(Arrays.asList(built));
    }
}
