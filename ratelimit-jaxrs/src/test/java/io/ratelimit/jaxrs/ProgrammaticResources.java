package io.ratelimit.jaxrs;

import io.ratelimit.annotation.RateLimited;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Application;
import org.glassfish.jersey.process.Inflector;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.model.Resource;

/** Apart from the test, which is looked at on the class paths of other implementations too. */
final class ProgrammaticResources {

    private ProgrammaticResources() {}

    public static class Greeting implements Inflector<ContainerRequestContext, String> {

        @Override
        @RateLimited(limits = "1/m")
        public String apply(ContainerRequestContext request) {
            return "greeting";
        }
    }

    public static class Handler {

        @RateLimited(limits = "1/m")
        public String handle() {
            return "handled";
        }
    }

    static Application application(RateLimitFeature feature) throws NoSuchMethodException {
        Resource.Builder root = Resource.builder("built");
        root.addChildResource("greeting").addMethod("GET").handledBy(Greeting.class);
        root.addChildResource("lambda").addMethod("GET").handledBy(request -> "lambda");
        root.addChildResource("method").addMethod("GET").handledBy(Handler.class, Handler.class.getMethod("handle"));
        return new ResourceConfig().registerResources(root.build()).register(feature);
    }
}
