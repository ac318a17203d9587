package io.ratelimit.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ratelimit.server.web.RunningService.Answer;

/** A report of a host, to be filled and sent. */
public final class ReportedTraffic {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final long now = System.currentTimeMillis();
    private final ObjectNode report = JSON.createObjectNode();

    public ReportedTraffic(String host) {
        report.put("host", host)
                .put("origin", "SOURCE")
                .put("since", now)
                .put("from", now - 4_000)
                .put("to", now);
        report.put("share", 1.0);
    }

    public ReportedTraffic tag(String tag) {
        report.put("tag", tag);
        return this;
    }

    public ReportedTraffic error(String error) {
        report.put("error", error);
        return this;
    }

    public ReportedTraffic share(double share) {
        report.put("share", share);
        return this;
    }

    public ReportedTraffic counts(String rule, long allowed, long refused, long shadow) {
        ArrayNode rules = report.withArray("rules");
        rules.addObject()
                .put("rule", rule)
                .put("allowed", allowed)
                .put("refused", refused)
                .put("shadow", shadow);
        return this;
    }

    public ReportedTraffic refused(String rule, String client, long times) {
        ArrayNode clients = report.withArray("refusedClients");
        clients.addObject().put("rule", rule).put("client", client).put("refused", times);
        return this;
    }

    /** Requests of one user, all in the same second. */
    public ReportedTraffic requests(int count, String path, String user) {
        ArrayNode requests = report.withArray("requests");
        for (int i = 0; i < count; i++) {
            requests.addObject()
                    .put("at", now - 2_000 + i)
                    .put("method", "GET")
                    .put("path", path)
                    .put("user", user);
        }
        return this;
    }

    public void send(RunningService service, String name, String hostToken) {
        Answer taken = service.post("/v1/services/" + name + "/reports", hostToken, report.toString());
        assertThat(taken.status()).as(taken.toString()).isEqualTo(204);
    }
}
