package io.ratelimit.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.ratelimit.annotation.RateLimited;
import io.ratelimit.core.QueryParameterCost;
import io.ratelimit.core.RateLimitEngine;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.glassfish.jersey.jdkhttp.JdkHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    @Path("")
    public static class Files {

        @GET
        @Path("free")
        public String free() {
            return "free";
        }

        @GET
        @Path("files/{file: .*}")
        public String file() {
            return "file";
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/base/files/x",
                "/base/files/",
                "/base//files//x",
                "/base/files;a=b/x",
                "/base/%66iles/x",
                "/base/files/..%3Bx/..%3By/free",
                "/base/files/x/../../free",
                "/base/files/%2e%2e/free",
                "/base/files/..;a=b/free",
                "/base/files/..%2Ffree",
                "/base/files/.."
            })
    void aRuleHoldsForEverySpellingThatReachesItsResource(String target) throws Exception {
        RateLimitEngine engine = TestEngine.withDocument("""
                exempt: [{ path: /base/free }]
                rules:
                  - { name: files, match: { path: /base/files/** }, key: service, limits: [1/m] }
                """);
        ResourceConfig config = new ResourceConfig(Files.class).register(new RateLimitFeature(engine));
        HttpServer server = JdkHttpServerFactory.createHttpServer(URI.create("http://127.0.0.1:0/base/"), config, true);
        try (engine) {
            int port = server.getAddress().getPort();
            assertThat(get(port, "/base/free").body()).isEqualTo("free");
            assertThat(List.of(get(port, target).body(), get(port, target).statusCode()))
                    .isIn(List.of("file", 429), List.of("", 404));
        } finally {
            server.stop(0);
        }
    }

    @Test
    void anEncodedSlashIsPartOfItsSegment() throws Exception {
        String rules = "- { name: one, match: { path: \"/base/files/*\" }, key: service, limits: [1/m] }";
        RateLimitEngine engine = TestEngine.with(rules);
        ResourceConfig config = new ResourceConfig(Files.class).register(new RateLimitFeature(engine));
        HttpServer server = JdkHttpServerFactory.createHttpServer(URI.create("http://127.0.0.1:0/base/"), config, true);
        try (engine) {
            int port = server.getAddress().getPort();
            assertThat(get(port, "/base/files/a%2Fb").statusCode()).isEqualTo(200);
            assertThat(get(port, "/base/files/a%2fb").statusCode()).isEqualTo(429);
            assertThat(get(port, "/base/files/a/b").statusCode()).isEqualTo(200);
        } finally {
            server.stop(0);
        }
    }

    @Test
    void cookiesThatCannotBeReadLiftNoRule() throws Exception {
        RateLimitEngine engine = TestEngine.withDocument("""
                clients: ["cookie:client", "header:X-Api-Key"]
                rules:
                  - { name: by-cookie, match: { path: /base/free }, key: "cookie:client", limits: [9/m] }
                  - { name: others, match: { path: /base/free }, limits: [1/m] }
                """);
        ResourceConfig config = new ResourceConfig(Files.class).register(new RateLimitFeature(engine));
        HttpServer server = JdkHttpServerFactory.createHttpServer(URI.create("http://127.0.0.1:0/base/"), config, true);
        try (engine) {
            int port = server.getAddress().getPort();
            assertThat(get(port, "/base/free", "Cookie", "$Version=x").statusCode())
                    .isEqualTo(200);
            assertThat(get(port, "/base/free", "Cookie", "$Version=x").statusCode())
                    .isEqualTo(429);
        } finally {
            server.stop(0);
        }
    }

    @Test
    void aCostMayComeFromTheQuery() throws Exception {
        RateLimitEngine engine = TestEngine.withDocument(
                """
                costs: [{ path: /base/free, resolver: page-size }]
                rules: [{ name: all, match: { path: /base/free }, key: service, limits: [100/m] }]
                """, builder -> builder.costs(new QueryParameterCost("page-size", "s ize", 1, 100)));
        ResourceConfig config = new ResourceConfig(Files.class).register(new RateLimitFeature(engine));
        HttpServer server = JdkHttpServerFactory.createHttpServer(URI.create("http://127.0.0.1:0/base/"), config, true);
        try (engine) {
            int port = server.getAddress().getPort();
            assertThat(remaining(get(port, "/base/free?a=1&s+ize=%37"))).isEqualTo("93");
            assertThat(remaining(get(port, "/base/free?s%20ize=3"))).isEqualTo("90");
            assertThat(remaining(get(port, "/base/free"))).isEqualTo("89");
        } finally {
            server.stop(0);
        }
    }

    private static String remaining(HttpResponse<String> answer) {
        return answer.headers().firstValue("X-RateLimit-Remaining").orElseThrow();
    }

    private static HttpResponse<String> get(int port, String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .header("X-Api-Key", "k");
        if (headers.length > 0) {
            request.headers(headers);
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
