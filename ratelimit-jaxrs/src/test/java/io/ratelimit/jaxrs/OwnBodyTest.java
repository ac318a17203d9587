package io.ratelimit.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.RefusalBody;
import io.ratelimit.RefusalResponder;
import io.ratelimit.annotation.RateLimited;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.http.AnswerExtensions;
import io.ratelimit.core.http.HttpAnswers;
import io.ratelimit.core.http.HttpEngine;
import io.ratelimit.core.http.HttpSettings;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.EnumSet;
import java.util.List;
import org.eclipse.jetty.ee11.servlet.ErrorPageErrorHandler;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the application says when an annotation refuses. */
@Tag("jaxrs")
class OwnBodyTest {

    private static final String TEXT = "Слишком много запросов, 请求过多, 🐢";

    @Path("orders")
    public static class Orders {

        @GET
        @RateLimited(limits = "1/h")
        public String list() {
            return "list";
        }

        @GET
        @Path("page")
        public String page() {
            return "error page";
        }
    }

    private static void prepare(ServletContextHandler handler) {
        ErrorPageErrorHandler pages = new ErrorPageErrorHandler();
        pages.addErrorPage(429, "/orders/page");
        handler.setErrorHandler(pages);
        Filter cors = (request, response, chain) -> {
            ((HttpServletResponse) response).setHeader("Vary", "Origin");
            chain.doFilter(request, response);
        };
        handler.addFilter(new FilterHolder(cors), "/*", EnumSet.of(DispatcherType.REQUEST));
    }

    @Test
    void anAnnotationsRefusalCarriesTheApplicationsBody() throws Exception {
        RefusalResponder responder = refused -> refused.chooseType(List.of("application/json", "text/html"))
                .filter("text/html"::equals)
                .map(type -> RefusalBody.of(type, TEXT));
        RateLimitEngine engine = TestEngine.with("");
        HttpAnswers answers = new HttpAnswers(
                HttpSettings.DEFAULT,
                engine.timeSource(),
                AnswerExtensions.none().with(responder));
        Components application =
                Components.of(Orders.class).with(new RateLimitFeature(new HttpEngine(engine, answers)));
        try (Served app = Served.at("/", "/*", application, engine, OwnBodyTest::prepare)) {
            app.get("/orders");
            HttpResponse<String> html = app.send("GET", "/orders", BodyPublishers.noBody(), "Accept", "text/html");
            assertThat(html.statusCode()).isEqualTo(429);
            assertThat(html.body()).isEqualTo(TEXT);
            assertThat(html.headers().firstValue("Content-Type")).contains("text/html;charset=utf-8");
            assertThat(html.headers().firstValue("Retry-After")).contains("3600");
            HttpResponse<String> head = app.send("HEAD", "/orders", BodyPublishers.noBody(), "Accept", "text/html");
            assertThat(head.statusCode()).isEqualTo(429);
            assertThat(head.body()).isEmpty();
            HttpResponse<String> json = app.send("GET", "/orders", BodyPublishers.noBody(), "Accept-Language", "fr");
            assertThat(json.body()).contains("est dépassée ; réessayez dans 3600 secondes.");
            assertThat(json.headers().firstValue("Content-Language")).contains("fr");
            assertThat(String.join(", ", json.headers().allValues("Vary")))
                    .isEqualTo("Origin, Accept, Accept-Language");
        }
    }
}
