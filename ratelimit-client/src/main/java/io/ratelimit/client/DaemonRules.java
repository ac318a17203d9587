package io.ratelimit.client;

import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.RulesSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** The rules in force at the first daemon that tells them. */
final class DaemonRules implements RulesSource {

    private static final String PATH = "/v1/rules";
    private static final int OK = 200;
    private static final int NOT_MODIFIED = 304;

    private final List<Daemon> daemons;

    DaemonRules(List<Daemon> daemons) {
        this.daemons = daemons;
    }

    /** That of the first daemon, whichever tells them. */
    @Override
    public String location() {
        return daemons.get(0).address() + PATH;
    }

    @Override
    public Optional<RulesDocument> retrieve(@Nullable RulesDocument last) throws IOException, InterruptedException {
        Map<String, String> condition =
                last == null || last.tag().isEmpty() ? Map.of() : Map.of("If-None-Match", last.tag());
        StringBuilder failures = new StringBuilder();
        for (Daemon daemon : daemons) {
            try {
                Reply reply = daemon.send("GET", PATH, condition, null, Daemon.PATIENCE)
                        .get();
                if (reply.status() == NOT_MODIFIED && last != null) {
                    return Optional.empty();
                }
                if (reply.status() == OK) {
                    return taken(reply, last);
                }
                failures.append("; ")
                        .append(daemon.address())
                        .append(": it answers status ")
                        .append(reply.status());
            } catch (ExecutionException e) {
                failures.append("; ").append(daemon.address()).append(": ").append(e.getCause());
            }
        }
        throw new IOException("no daemon tells its rules" + failures);
    }

    private Optional<RulesDocument> taken(Reply reply, @Nullable RulesDocument last) {
        byte[] content = reply.body().getBytes(StandardCharsets.UTF_8);
        if (last != null && Arrays.equals(content, last.content())) {
            return Optional.empty();
        }
        String tag = reply.etag() == null ? "" : reply.etag();
        long version = Math.max(System.currentTimeMillis(), last == null ? 0 : last.version() + 1);
        return Optional.of(new RulesDocument(location(), content, tag, version));
    }
}
