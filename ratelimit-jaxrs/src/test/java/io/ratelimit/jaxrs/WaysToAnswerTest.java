package io.ratelimit.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.ServiceUnavailableException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import jakarta.ws.rs.ext.MessageBodyWriter;
import java.io.OutputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** However a resource answers, its request is settled once: by the status of its response. */
@Tag("jaxrs")
class WaysToAnswerTest {

    private static final String RULES = """
            - name: failures
              key: header:X-Test
              match: { path: /ways/** }
              limits: [2/h]
              charge: { when: response, status: [404, 418, 500, 503] }
            - name: busy
              sharing: host
              key: header:X-Test
              match: { path: /ways/** }
              limits: { tokens: 1, algorithm: concurrency }
            """;

    @Path("ways")
    public static class Ways {

        static final BlockingQueue<AsyncResponse> WAITING = new LinkedBlockingQueue<>();

        @GET
        @Path("text")
        public String text() {
            return "text";
        }

        @GET
        @Path("nothing")
        public void nothing() {}

        @GET
        @Path("response")
        public Response response() {
            return Response.status(404).entity("none").build();
        }

        @GET
        @Path("thrown")
        public String thrown() {
            throw new ServiceUnavailableException();
        }

        @GET
        @Path("mapped")
        public String mapped() {
            throw new IllegalStateException("on purpose");
        }

        @GET
        @Path("unmapped")
        public String unmapped() {
            throw new UnsupportedOperationException("on purpose");
        }

        @GET
        @Path("error")
        public String error() {
            throw new AssertionError("on purpose");
        }

        @GET
        @Path("stage")
        public CompletionStage<String> stage() {
            return CompletableFuture.completedFuture("stage");
        }

        @GET
        @Path("late-stage")
        public CompletionStage<Response> lateStage() {
            return CompletableFuture.supplyAsync(() -> Response.ok("late").build());
        }

        @GET
        @Path("failed-stage")
        public CompletionStage<String> failedStage() {
            return CompletableFuture.failedFuture(new IllegalStateException("on purpose"));
        }

        @GET
        @Path("late-failed-stage")
        public CompletionStage<String> lateFailedStage() {
            return CompletableFuture.supplyAsync(() -> {
                throw new WebApplicationException(404);
            });
        }

        @GET
        @Path("resumed")
        public void resumed(@Suspended AsyncResponse response) {
            CompletableFuture.runAsync(() -> response.resume("resumed"));
        }

        @GET
        @Path("resumed-failure")
        public void resumedFailure(@Suspended AsyncResponse response) {
            CompletableFuture.runAsync(() -> response.resume(new IllegalStateException("on purpose")));
        }

        @GET
        @Path("timeout")
        public void timeout(@Suspended AsyncResponse response) {
            response.setTimeout(1, TimeUnit.MILLISECONDS);
        }

        @GET
        @Path("cancelled")
        public void cancelled(@Suspended AsyncResponse response) {
            CompletableFuture.runAsync(response::cancel);
        }

        @GET
        @Path("suspended")
        public void suspended(@Suspended AsyncResponse response) {
            WAITING.add(response);
        }

        @GET
        @Path("filtered")
        public String filtered() {
            return "filtered";
        }

        @GET
        @Path("unwritable")
        @Produces("application/x-unwritable")
        public Unwritable unwritable() {
            return new Unwritable();
        }

        @GET
        @Path("endless")
        public StreamingOutput endless() {
            return out -> {
                byte[] block = new byte[64 * 1024];
                while (true) {
                    out.write(block);
                    out.flush();
                }
            };
        }
    }

    public static class Unwritable {}

    public static class UnwritableWriter implements MessageBodyWriter<Unwritable> {

        @Override
        public boolean isWriteable(Class<?> type, Type generic, Annotation[] annotations, MediaType mediaType) {
            return type == Unwritable.class;
        }

        @Override
        public void writeTo(
                Unwritable value,
                Class<?> type,
                Type generic,
                Annotation[] annotations,
                MediaType mediaType,
                MultivaluedMap<String, Object> headers,
                OutputStream out) {
            throw new IllegalStateException("on purpose");
        }
    }

    /** Makes an answer another one. */
    public static class Replacing implements ContainerResponseFilter {

        @Override
        public void filter(ContainerRequestContext request, ContainerResponseContext response) {
            if (request.getUriInfo().getPath().endsWith("filtered") && response.getStatus() == 200) {
                response.setStatus(404);
            }
        }
    }

    private static Served app;

    @BeforeAll
    static void serve() throws Exception {
        app = Served.alone(
                TestEngine.with(RULES),
                Ways.class,
                AnnotatedResourceTest.Mapper.class,
                UnwritableWriter.class,
                Replacing.class);
    }

    @AfterAll
    static void end() throws Exception {
        app.close();
    }

    /** Each test is a client of its own. */
    private static HttpResponse<String> get(String way, String client) throws Exception {
        return app.send("GET", "/ways/" + way, BodyPublishers.noBody(), "X-Test", client);
    }

    private static List<Integer> statuses(int requests, String way) throws Exception {
        List<Integer> statuses = new ArrayList<>();
        for (int i = 0; i < requests; i++) {
            statuses.add(get(way, way).statusCode());
        }
        return statuses;
    }

    @ParameterizedTest
    @CsvSource({"text, 200", "nothing, 204", "stage, 200", "late-stage, 200", "resumed, 200"})
    void whatSucceedsIsNotChargedAndNoLongerUnderWay(String way, int status) throws Exception {
        assertThat(statuses(3, way)).containsOnly(status);
    }

    @ParameterizedTest
    @CsvSource({
        "response, 404",
        "thrown, 503",
        "mapped, 418",
        "unmapped, 500",
        "error, 500",
        "failed-stage, 418",
        "late-failed-stage, 404",
        "resumed-failure, 418",
        "timeout, 503",
        "cancelled, 503",
        "filtered, 404"
    })
    void whatFailsIsChargedOnceAndNoLongerUnderWay(String way, int status) throws Exception {
        assertThat(statuses(3, way)).containsExactly(status, status, 429);
        assertThat(get("text", way).headers().firstValue("Retry-After")).contains("1800");
    }

    @Test
    void whatGoesWrongWhileAnAnswerIsWrittenCountsAsTheAnswerThatItWas() throws Exception {
        assertThat(statuses(3, "unwritable")).containsOnly(418);
    }

    @Test
    void aClientThatGoesAwayWhileItIsAnsweredIsNoLongerUnderWay() throws Exception {
        try (Socket client = app.connect("/ways/endless", "X-Test: endless")) {
            assertThat(new String(client.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
                    .isEqualTo("HTTP/1.1 200");
        }
        await().until(() -> get("text", "endless").statusCode() == 200);
    }

    @Test
    void aClientThatGoesAwayBeforeItIsAnsweredIsUnderWayUntilTheResourceHasDone() throws Exception {
        AsyncResponse waiting;
        try (Socket client = app.connect("/ways/suspended", "X-Test: suspended")) {
            waiting = Ways.WAITING.take();
            assertThat(get("text", "suspended").statusCode()).isEqualTo(429);
        }
        waiting.resume("too late");
        await().until(() -> get("text", "suspended").statusCode() == 200);
    }
}
