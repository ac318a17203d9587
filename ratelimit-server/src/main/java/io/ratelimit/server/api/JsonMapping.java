package io.ratelimit.server.api;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import jakarta.ws.rs.ext.ContextResolver;

/** How JSON is read and written: times as ISO 8601, unknown fields refused. */
public final class JsonMapping implements ContextResolver<ObjectMapper> {

    private final ObjectMapper mapper = new ObjectMapper()
            .registerModule(new JavaTimeModule())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS);

    /** Makes the mapping. */
    public JsonMapping() {}

    @Override
    public ObjectMapper getContext(Class<?> type) {
        return mapper;
    }
}
