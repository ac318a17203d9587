package io.ratelimit.server.api;

import io.ratelimit.server.access.Caller;
import io.ratelimit.server.access.DeniedException;
import io.ratelimit.server.access.Permission;
import io.ratelimit.server.rules.RuleSets;
import io.ratelimit.server.rules.ServiceName;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.sse.Sse;
import jakarta.ws.rs.sse.SseEventSink;

/** Telling of publications as they happen (server-sent events). */
@Path("v1/services/{service}/events")
public final class EventsResource {

    private final RuleSets ruleSets;
    private final EventStreams streams;

    /**
     * Makes the resource.
     *
     * @param ruleSets where rules are
     * @param streams those who listen
     */
    public EventsResource(RuleSets ruleSets, EventStreams streams) {
        this.ruleSets = ruleSets;
        this.streams = streams;
    }

    /** Tells what is in force, and of each publication from now on. */
    @GET
    @Produces(MediaType.SERVER_SENT_EVENTS)
    public void listen(
            @PathParam("service") ServiceName service,
            @Context SseEventSink sink,
            @Context Sse sse,
            @Context SecurityContext security)
            throws DeniedException {
        Caller caller = BearerAuthentication.caller(security);
        caller.require(Permission.FOLLOW, service);
        if (streams.isFull()) {
            throw new WebApplicationException(
                    Problem.of(503, "too-many-listeners", "too many listen already: poll, and try again later")
                            .toResponse());
        }
        streams.open(
                caller.token(),
                service,
                () -> ruleSets.currentVersion(service).orElseThrow(() -> Missing.rules(service)),
                sink,
                sse);
    }
}
