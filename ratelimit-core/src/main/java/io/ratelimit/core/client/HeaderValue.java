package io.ratelimit.core.client;

import io.ratelimit.RequestContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A header's value without the white space around it. Of several lines the first that is not blank counts. Taking
 * repeated headers for missing would let a caller slip out of a rule by sending two, and joining them would give a fresh
 * bucket for every second line.
 *
 * @param header the header's name
 */
record HeaderValue(String header) implements ClientValue {

    @Override
    public @Nullable String read(RequestContext context) {
        List<String> lines = context.headers(header);
        for (int i = 0; i < lines.size(); i++) {
            String value = lines.get(i).strip();
            if (!value.isEmpty()) {
                return value;
            }
        }
        return null;
    }
}
