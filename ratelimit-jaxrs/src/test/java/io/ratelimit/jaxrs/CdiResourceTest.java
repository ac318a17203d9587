package io.ratelimit.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.annotation.RateLimited;
import io.ratelimit.core.RateLimitEngine;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.se.SeContainer;
import jakarta.enterprise.inject.se.SeContainerInitializer;
import jakarta.enterprise.inject.spi.Extension;
import jakarta.inject.Inject;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InterceptorBinding;
import jakarta.interceptor.InvocationContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.net.http.HttpResponse;
import java.util.ServiceLoader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Resources that are beans of Weld, which stand behind proxies and are subclassed for their interceptors. */
class CdiResourceTest {

    @InterceptorBinding
    @Retention(RetentionPolicy.RUNTIME)
    public @interface Traced {}

    @Traced
    @Interceptor
    public static class Tracing {

        @AroundInvoke
        Object trace(InvocationContext call) throws Exception {
            return "traced " + call.proceed();
        }
    }

    @ApplicationScoped
    public static class Greetings {

        String greeting() {
            return "hello";
        }
    }

    @Path("beans")
    @ApplicationScoped
    @Traced
    public static class Beans {

        private final Greetings greetings;

        /** For the proxy, and RESTEasy looks for it. */
        public Beans() {
            this(new Greetings());
        }

        @Inject
        public Beans(Greetings greetings) {
            this.greetings = greetings;
        }

        @GET
        @RateLimited(limits = "1/m")
        public String get() {
            return greetings.greeting();
        }
    }

    private SeContainer weld;

    @BeforeEach
    void start() {
        SeContainerInitializer initializer = SeContainerInitializer.newInstance();
        // Where discovery is disabled, those of the implementation are not found either.
        ServiceLoader.load(Extension.class).forEach(initializer::addExtensions);
        weld = initializer
                .disableDiscovery()
                .addBeanClasses(Beans.class, Greetings.class, Tracing.class)
                .enableInterceptors(Tracing.class)
                .initialize();
    }

    @AfterEach
    void end() {
        weld.close();
    }

    private static void holds(Components application, RateLimitEngine engine) throws Exception {
        try (Served app = Served.at("/", "/*", application, engine, handler -> {})) {
            HttpResponse<String> first = app.get("/beans");
            assertThat(first.body()).isEqualTo("traced hello");
            assertThat(first.headers().allValues("RateLimit-Policy")).containsExactly("\"Beans.get\";q=1;w=60");
            assertThat(app.get("/beans").statusCode()).isEqualTo(429);
        }
    }

    @Test
    @Tag("jaxrs")
    void theAnnotationOfABeanHoldsThoughJaxRsCallsItsProxy() throws Exception {
        RateLimitEngine engine = TestEngine.with("");
        Beans proxy = weld.select(Beans.class).get();
        assertThat(proxy.getClass()).isNotEqualTo(Beans.class);
        holds(Components.of().with(new RateLimitFeature(engine), proxy), engine);
    }

    @Test
    @Tag("cdi")
    void theAnnotationOfABeanHoldsThatTheImplementationGetsFromCdi() throws Exception {
        RateLimitEngine engine = TestEngine.with("");
        holds(Components.of(Beans.class).with(new RateLimitFeature(engine)), engine);
    }
}
