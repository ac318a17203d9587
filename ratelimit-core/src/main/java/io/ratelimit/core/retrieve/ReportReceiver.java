package io.ratelimit.core.retrieve;

import io.ratelimit.rules.RulesSource;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The service that rules come from, as far as it wants to know how its hosts are doing. Thread-safe. */
public interface ReportReceiver {

    /**
     * Finds the service behind a source.
     *
     * @param source where rules come from
     * @return the service; empty where the source is none that could want reports
     */
    static Optional<ReportReceiver> of(RulesSource source) {
        return source instanceof RulesService service ? Optional.of(service.reports()) : Optional.empty();
    }

    /**
     * What the service knows this host by.
     *
     * @return the host
     */
    HostName host();

    /**
     * Where reports go now.
     *
     * @return a URL without credentials; null while the service names no link for reports
     */
    @Nullable
    String location();

    /**
     * Sends a report, and waits for the answer.
     *
     * @param json the report, in UTF-8
     * @return the answer's HTTP status
     * @throws IOException if there is no answer, or nowhere to send it to
     * @throws InterruptedException if the caller is interrupted meanwhile
     */
    int send(byte[] json) throws IOException, InterruptedException;
}
