package io.ratelimit.server.api;

import io.ratelimit.server.access.DeniedException;
import io.ratelimit.server.access.Permission;
import io.ratelimit.server.document.RulesReview;
import io.ratelimit.server.document.RulesReviewer;
import io.ratelimit.server.rules.ServiceName;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.SecurityContext;
import java.util.List;

/** Checking rules without publishing them. */
@Path("v1/services/{service}/check")
public final class CheckResource {

    private final RulesReviewer reviewer = new RulesReviewer();

    /** Makes the resource. */
    public CheckResource() {}

    /** Says what is wrong with a document, and what is likely a mistake. */
    @POST
    @Produces(MediaType.APPLICATION_JSON)
    public Checked check(@PathParam("service") ServiceName service, @Context SecurityContext security, byte[] document)
            throws DeniedException {
        BearerAuthentication.caller(security).require(Permission.VIEW, service);
        RulesReview review = reviewer.review("rules", document, service.text());
        return new Checked(
                review.rules().isPresent(),
                review.findings().stream().map(FindingView::of).toList());
    }

    /**
     * What was found.
     *
     * @param valid whether the document could be published
     * @param findings what is to be said of it
     */
    record Checked(boolean valid, List<FindingView> findings) {}
}
