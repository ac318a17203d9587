package io.ratelimit.core.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ratelimit.core.retrieve.RulesStatus;
import io.ratelimit.core.retrieve.RulesStatus.Origin;
import io.ratelimit.core.retrieve.RulesStatus.Push;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/** What a service reads of a recording. */
record ToldRequests(Recording recording) {

    private static final RulesStatus STATUS =
            new RulesStatus(Origin.NONE, 0, null, null, null, 0, List.of(), Push.NONE);

    JsonNode json() {
        return read(new HostReport("app-3/1", null, STATUS, 1, 2, Map.of(), Map.of(), recording).toJson());
    }

    List<JsonNode> requests() {
        return List.copyOf(json().get("requests").valueStream().toList());
    }

    static JsonNode read(byte[] json) {
        try {
            return new ObjectMapper().readTree(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
