package io.ratelimit.server.daemon;

import io.ratelimit.Settlement;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.eclipse.jetty.server.Request;

/** Hears how requests went that were decided here. Thread-safe. */
final class SettleEndpoint implements Endpoint {

    private final Receipts receipts;
    private final Bodies bodies;
    private final Json json;

    SettleEndpoint(Receipts receipts, Bodies bodies, Json json) {
        this.receipts = receipts;
        this.bodies = bodies;
        this.json = json;
    }

    @Override
    public CompletionStage<Answer> answer(Request request) {
        return bodies.json(request).thenApply(body -> settle(json.read(body, "settlements", Settling.class)));
    }

    private Answer settle(Json.Asked<Settling> asked) {
        List<Boolean> settled = asked.items().stream().map(this::settle).toList();
        return Answer.json(json.write(out -> {
            out.writeStartObject();
            if (asked.isBatch()) {
                out.writeArrayFieldStart("settled");
                for (boolean one : settled) {
                    out.writeBoolean(one);
                }
                out.writeEndArray();
            } else {
                out.writeBooleanField("settled", settled.get(0));
            }
            out.writeEndObject();
        }));
    }

    private boolean settle(Settling settling) {
        Settlement settlement = receipts.redeem(settling.receipt());
        return settlement != null && settling.settle(settlement);
    }
}
