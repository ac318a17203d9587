package io.ratelimit.server.api;

import com.google.common.io.Resources;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import java.io.IOException;
import java.io.UncheckedIOException;

/** The description of this API, for whoever writes a client of it. Asked for without a token. */
@Path("openapi.yaml")
public final class OpenApiResource {

    private final byte[] description;

    /** Reads the description. */
    public OpenApiResource() {
        try {
            description = Resources.toByteArray(Resources.getResource("openapi.yaml"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The description as OpenAPI 3.1. */
    @GET
    @Produces("application/yaml")
    public byte[] get() {
        return description.clone();
    }
}
