package io.ratelimit.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.ratelimit.annotation.RateLimited;
import io.ratelimit.core.RateLimitEngine;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.glassfish.jersey.jdkhttp.JdkHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.Test;

/** JAX-RS on the server of the JDK. */
class WithoutServletsTest {

    @Path("plain")
    public static class Plain {

        @GET
        @RateLimited(operation = "plain", limits = "2/m", key = "header:X-Api-Key")
        public String get() {
            return "plain";
        }

        @GET
        @Path("a b")
        public String path() {
            return "path";
        }
    }

    @Test
    void annotationsAndRulesHoldAndAreTold() throws Exception {
        String rules = "- { name: path, match: { path: /base/plain/a b }, key: service, limits: [1/m] }";
        RateLimitEngine engine = TestEngine.with(rules);
        ResourceConfig config = new ResourceConfig(Plain.class).register(new RateLimitFeature(engine));
        HttpServer server = JdkHttpServerFactory.createHttpServer(URI.create("http://127.0.0.1:0/base/"), config, true);
        try (engine) {
            int port = server.getAddress().getPort();
            HttpResponse<String> first = get(port, "/base/plain");
            assertThat(first.statusCode()).isEqualTo(200);
            assertThat(first.headers().allValues("RateLimit-Policy")).containsExactly("\"plain\";q=2;w=60");
            assertThat(get(port, "/base/plain").statusCode()).isEqualTo(200);
            HttpResponse<String> refused = get(port, "/base/plain");
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.headers().firstValue("Content-Type")).contains("application/problem+json");
            assertThat(refused.headers().allValues("Retry-After")).containsExactly("30");
            assertThat(get(port, "/base/plain/a%20b;x=1").statusCode()).isEqualTo(200);
            assertThat(get(port, "/base/plain/a%20b").statusCode()).isEqualTo(429);
        } finally {
            server.stop(0);
        }
    }

    private static HttpResponse<String> get(int port, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .header("X-Api-Key", "k")
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }
}
