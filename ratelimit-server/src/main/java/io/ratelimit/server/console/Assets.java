package io.ratelimit.server.console;

import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import com.google.common.io.Resources;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Styles and scripts. Their path has a hash of all of them, so that browsers keep them for good and never mix two
 * releases.
 */
@Path("assets/{release}/{name}")
public final class Assets {

    private static final int HASH_IN_PATH = 12;
    private static final String SCRIPT = "text/javascript; charset=utf-8";
    private static final String STYLE = "text/css; charset=utf-8";

    private final Map<String, Asset> byName;
    private final String release;

    private Assets(Map<String, Asset> byName) {
        this.byName = byName;
        Hasher hasher = Hashing.sha256().newHasher();
        byName.values().forEach(asset -> hasher.putBytes(asset.content()));
        this.release = hasher.hash().toString().substring(0, HASH_IN_PATH);
    }

    /**
     * Reads the assets.
     *
     * @return all of them
     */
    public static Assets load() {
        Map<String, Asset> assets = new LinkedHashMap<>();
        assets.put("console.css", asset("assets/console.css", STYLE));
        assets.put("console.js", asset("assets/console.js", SCRIPT));
        assets.put("icon.svg", asset("assets/icon.svg", "image/svg+xml"));
        assets.put("htmx.js", webJar("htmx.org/2.0.8/dist/htmx.min.js", SCRIPT));
        assets.put("uplot.js", webJar("uplot/1.6.30/dist/uPlot.iife.min.js", SCRIPT));
        assets.put("uplot.css", webJar("uplot/1.6.30/dist/uPlot.min.css", STYLE));
        return new Assets(assets);
    }

    /** Where pages find an asset. */
    String url(String name) {
        return "/assets/" + release + "/" + name;
    }

    /** One asset; those of another release are not there. */
    @GET
    public Response get(@PathParam("release") String asked, @PathParam("name") String name) {
        Asset asset = byName.get(name);
        if (asset == null || !asked.equals(release)) {
            throw new NotFoundException();
        }
        return Response.ok(asset.content())
                .header("Content-Type", asset.type())
                .header("Cache-Control", "public, max-age=31536000, immutable")
                .build();
    }

    private static Asset webJar(String path, String type) {
        return asset("META-INF/resources/webjars/" + path, type);
    }

    private static Asset asset(String path, String type) {
        try {
            return new Asset(type, Resources.toByteArray(Resources.getResource(path)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @SuppressWarnings("ArrayRecordComponent")
    private record Asset(String type, byte[] content) {}
}
