package io.ratelimit.core.client;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.ClientIdentifierBuilder;
import io.ratelimit.RequestContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds the first identifier that a request carries.
 *
 * @param alternatives builds each, in order
 */
record FirstPresentIdentifier(List<SingleIdentifier> alternatives) implements ClientIdentifierBuilder {

    @Override
    public @Nullable ClientIdentifier build(RequestContext context) {
        for (int i = 0; i < alternatives.size(); i++) {
            ClientIdentifier identifier = alternatives.get(i).build(context);
            if (identifier != null) {
                return identifier;
            }
        }
        return null;
    }
}
