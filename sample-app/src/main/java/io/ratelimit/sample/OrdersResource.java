package io.ratelimit.sample;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

/** Orders. Nothing here knows of limits: the rules file names the paths. */
@Path("orders")
@Produces(MediaType.APPLICATION_JSON)
public final class OrdersResource {

    /** Made for each request. */
    public OrdersResource() {}

    /**
     * Lists the orders.
     *
     * @return always the same two
     */
    @GET
    public String list() {
        return "[{\"item\":\"tea\",\"quantity\":2},{\"item\":\"coffee\",\"quantity\":1}]";
    }

    /**
     * Takes an order. The sample keeps none.
     *
     * @param order the order as JSON
     * @return 201 with the order, byte by byte
     */
    @POST
    public Response create(byte[] order) {
        return Response.status(Response.Status.CREATED).entity(order).build();
    }
}
