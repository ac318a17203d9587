package io.ratelimit.servlet;

import io.ratelimit.RefusalBody;
import io.ratelimit.RefusalResponder;
import io.ratelimit.RefusedRequest;
import java.util.List;
import java.util.Optional;

/** Answers in JSON or HTML, in scripts that few encodings can write. */
public final class MultilingualResponder implements RefusalResponder {

    static final String TEXT = "Слишком много запросов, 请求过多, 🐢";

    @Override
    public Optional<RefusalBody> respond(RefusedRequest refused) {
        String type =
                refused.chooseType(List.of("application/json", "text/html")).orElse("application/json");
        String body = type.equals("text/html") ? "<p>" + TEXT + "</p>" : "{\"message\":\"" + TEXT + "\"}";
        return Optional.of(RefusalBody.of(type, body));
    }
}
