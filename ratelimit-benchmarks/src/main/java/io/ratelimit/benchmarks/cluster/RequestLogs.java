package io.ratelimit.benchmarks.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Logs of requests, one for each kind. Thread-safe. */
final class RequestLogs implements AutoCloseable {

    private final List<RequestLog> logs = new ArrayList<>();

    private RequestLogs() {}

    /**
     * Opens logs.
     *
     * @param prefix how their files' names begin
     * @param count how many
     */
    static RequestLogs open(String prefix, int count) throws IOException {
        RequestLogs all = new RequestLogs();
        for (int i = 0; i < count; i++) {
            all.logs.add(new RequestLog(file(prefix, i)));
        }
        return all;
    }

    /** The file of a log. */
    static Path file(String prefix, int index) {
        return Path.of(prefix + "-" + index + ".requests");
    }

    void add(int index, Request request) {
        logs.get(index).add(request);
    }

    /** Returns when all is written. */
    @Override
    public void close() {
        logs.forEach(RequestLog::close);
    }
}
