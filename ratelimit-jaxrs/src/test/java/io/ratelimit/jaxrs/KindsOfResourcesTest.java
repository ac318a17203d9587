package io.ratelimit.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.annotation.RateLimitExempt;
import io.ratelimit.annotation.RateLimited;
import io.ratelimit.core.RateLimitEngine;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Annotations hold wherever the method is that JAX-RS calls. */
@Tag("jaxrs")
class KindsOfResourcesTest {

    @Path("shops")
    public static class Shops {

        @Path("{name}")
        public Shop byInstance(@PathParam("name") String name) {
            return new LocalShop();
        }

        @Path("classes/{name}")
        public Class<LocalShop> byClass() {
            return LocalShop.class;
        }

        @Path("unknown")
        public Object unknownUntilItIsAsked() {
            return new Counter();
        }
    }

    @RateLimited(operation = "shops", limits = "3/m")
    public interface Shop {

        @GET
        String name();

        @Path("counter")
        Counter counter();
    }

    public static class LocalShop implements Shop {

        @Override
        public String name() {
            return "shop";
        }

        @GET
        @Path("free")
        @RateLimitExempt
        public String free() {
            return "free";
        }

        @Override
        public Counter counter() {
            return new Counter();
        }
    }

    @RateLimited(limits = "2/m")
    public static class Counter {

        @GET
        public String count() {
            return "counted";
        }
    }

    @Test
    void theAnnotationOfASubResourceClassHoldsHoweverItIsLocated() throws Exception {
        try (Served app = Served.alone(TestEngine.with(""), Shops.class)) {
            assertThat(app.get("/shops/a").body()).isEqualTo("shop");
            assertThat(app.get("/shops/classes/b").body()).isEqualTo("shop");
            assertThat(app.statuses(2, "/shops/c")).containsExactly(200, 429);
            assertThat(app.statuses(3, "/shops/c/free")).containsOnly(200);
            assertThat(app.get("/shops/unknown").body()).isEqualTo("counted");
            assertThat(app.statuses(2, "/shops/c/counter")).containsExactly(200, 429);
            assertThat(app.get("/shops/unknown").statusCode()).isEqualTo(429);
        }
    }

    @Path("declared")
    public interface Declared {

        @GET
        @RateLimited(operation = "declared", limits = "1/m")
        String get();
    }

    public abstract static class Between implements Declared {}

    public static class Implementing extends Between {

        @Override
        public String get() {
            return "implemented";
        }
    }

    @Test
    void aResourceMayBeDeclaredByAnInterfaceAlone() throws Exception {
        RateLimitEngine engine = TestEngine.with("");
        Components application = Components.of().with(new RateLimitFeature(engine), new Implementing());
        try (Served app = Served.at("/", "/*", application, engine, handler -> {})) {
            assertThat(app.get("/declared").body()).isEqualTo("implemented");
            assertThat(app.get("/declared").statusCode()).isEqualTo(429);
        }
    }

    /** As CDI, Spring and others make them at run time: with a dollar in the name, and without annotations. */
    public static class Proxied$$Proxy extends Proxied {

        @Override
        public String named() {
            return "by proxy";
        }

        @Override
        public String unnamed() {
            return "by proxy";
        }
    }

    @Path("proxied")
    public static class Proxied {

        @GET
        @Path("named")
        @RateLimited(operation = "named", limits = "1/m")
        public String named() {
            return "directly";
        }

        @GET
        @Path("unnamed")
        @RateLimited(limits = "1/m")
        public String unnamed() {
            return "directly";
        }
    }

    @Test
    void theOperationIsNamedAfterTheClassThatWasWrittenNotAfterItsProxy() {
        MethodPolicies policies = new MethodPolicies(new DeclaredRules());
        assertThat(operation(policies, Proxied$$Proxy.class, "unnamed")).isEqualTo("Proxied.unnamed");
        assertThat(operation(policies, Proxied.class, "unnamed")).isEqualTo("Proxied.unnamed");
        assertThat(operation(policies, Implementing.class, "get")).isEqualTo("declared");
    }

    private static String operation(MethodPolicies policies, Class<?> resource, String method) {
        try {
            return policies.of(resource, resource.getMethod(method))
                    .operations()
                    .get(0)
                    .name();
        } catch (NoSuchMethodException e) {
            throw new AssertionError(e);
        }
    }
}
