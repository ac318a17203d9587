package io.ratelimit.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.RefusalBody;
import io.ratelimit.RefusalResponder;
import io.ratelimit.servlet.RawClient.Answer;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How answers come over the wire in every container, whatever the application does with its response. */
abstract class AnswersContract extends InContainer {

    private static final String ONE_AN_HOUR = "rules:\n  - { name: all, limits: [1/h] }";

    private RawClient client;

    @BeforeEach
    void prepare() {
        application.servlet(StreamingServlet.class, "/");
    }

    private void start(String rules, String... params) throws Exception {
        String[] all = Arrays.copyOf(params, params.length + 2);
        all[params.length] = "rules";
        all[params.length + 1] = application.rules(rules);
        application.filter("limit", all).mapFilter("limit", "/*");
        client = new RawClient(container.start(application));
    }

    private void startBehind(Filter other, String rules) throws Exception {
        application.onStart(context -> {
            FilterRegistration.Dynamic registration = context.addFilter("other", other);
            registration.setAsyncSupported(true);
            registration.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/*");
        });
        start(rules);
    }

    @Test
    void theFieldsStandInAnswersOfEveryKind() throws Exception {
        start("rules:\n  - { name: all, limits: [100/h] }");
        expectFields(client.get("/unchanged"), 304, 0);
        expectFields(client.get("/stream"), 200, 200_000);
        expectFields(client.get("/reset"), 200, 0);
        Answer events = client.get("/events");
        expectFields(events, 200, 22);
        assertThat(events.header("Content-Type")).startsWithIgnoringCase("text/event-stream");
        for (String target : List.of("/plain", "/unchanged", "/stream")) {
            expectFields(client.send("HEAD", target, new byte[0]), target.equals("/unchanged") ? 304 : 200, 0);
        }
    }

    private static void expectFields(Answer answer, int status, int length) {
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.body()).hasSize(length);
        assertThat(answer.header("RateLimit-Policy")).isEqualTo("\"all\";q=100;w=3600");
        assertThat(answer.header("RateLimit")).startsWith("\"all\";r=9");
        assertThat(answer.headers().get("X-RateLimit-Remaining")).hasSize(1);
        assertThat(answer.header("Vary")).isNull();
        assertThat(answer.header("Content-Language")).isNull();
    }

    @Test
    void anAnswerThatAnotherFilterHasCommittedIsLeftAlone() throws Exception {
        startBehind(
                (request, response, chain) -> {
                    response.getWriter().write("answered ");
                    response.flushBuffer();
                    chain.doFilter(request, response);
                },
                ONE_AN_HOUR);
        Answer allowed = client.get("/plain");
        assertThat(allowed.text()).isEqualTo("answered plain");
        assertThat(allowed.header("RateLimit")).isNull();
        Answer refused = client.get("/plain");
        assertThat(refused.status()).isEqualTo(200);
        assertThat(refused.text()).isEqualTo("answered ");
        assertThat(refused.header("Retry-After")).isNull();
    }

    @Test
    void manyLimitsDoNotMakeFieldsThatTheContainerCannotSend() throws Exception {
        start(IntStream.range(0, 400)
                .mapToObj(i ->
                        "  - { name: limit-of-operation-number-" + i + ", limits: [" + (i == 399 ? 1 : 2) + "/h] }")
                .collect(Collectors.joining("\n", "rules:\n", "")));
        Answer allowed = client.get("/plain");
        assertThat(allowed.status()).isEqualTo(200);
        assertThat(allowed.text()).isEqualTo("plain");
        assertThat(allowed.header("RateLimit")).startsWith("\"limit-of-operation-number-399\";r=0;");
        assertThat(allowed.header("RateLimit-Policy")).startsWith("\"limit-of-operation-number-399\";q=1;");
        assertThat(allowed.header("RateLimit-Policy").length()).isLessThanOrEqualTo(1_024);
        Answer refused = client.get("/plain");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.header("RateLimit")).isEqualTo("\"limit-of-operation-number-399\";r=0;t=3600");
    }

    // The body

    @Test
    void aBodyOfTheApplicationsOwnArrivesByteForByteInPlaceOfTheErrorPage() throws Exception {
        application
                .errorPage(429, "/plain")
                .resource(
                        "META-INF/services/" + RefusalResponder.class.getName(), MultilingualResponder.class.getName());
        start(ONE_AN_HOUR);
        client.get("/plain");
        Answer json = client.get("/plain", "Accept: application/json");
        assertThat(json.text()).isEqualTo("{\"message\":\"" + MultilingualResponder.TEXT + "\"}");
        assertThat(json.header("Content-Type")).isEqualTo("application/json");
        Answer html = client.get("/plain", "Accept: text/html");
        assertThat(html.text()).isEqualTo("<p>" + MultilingualResponder.TEXT + "</p>");
        assertThat(html.header("Content-Type")).isEqualToIgnoringCase("text/html;charset=utf-8");
        Answer head = client.send("HEAD", "/plain", new byte[0], "Accept: text/html");
        assertThat(head.body()).isEmpty();
        for (Answer answer : List.of(json, html, head)) {
            assertThat(answer.status()).isEqualTo(429);
            assertThat(answer.header("Retry-After")).isEqualTo("3600");
            assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
            assertThat(answer.header("Content-Language")).isNull();
        }
        assertThat(List.of(html.header("Content-Length"), head.header("Content-Length")))
                .containsOnly(Integer.toString(html.body().length));
    }

    @Test
    void aResponderGivenInCodeAnswersBeforeTheForm() throws Exception {
        String rules = application.rules(ONE_AN_HOUR);
        application.onStart(context -> context.addFilter(
                        "limit",
                        RateLimitFilter.builder()
                                .rules(rules)
                                .setting("responder", "envelope")
                                .responder(refused -> refused.chooseType(List.of("application/json", "text/csv"))
                                        .filter("text/csv"::equals)
                                        .map(type -> RefusalBody.of(type, "error\n" + refused.message())))
                                .build())
                .addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/*"));
        client = new RawClient(container.start(application));
        client.get("/plain");
        assertThat(client.get("/plain", "Accept: text/csv").text()).startsWith("error\nLimit 'all'");
        assertThat(client.get("/plain").text()).startsWith("{\"error\":{\"code\":\"RATE_LIMIT_EXCEEDED\"");
    }

    @Test
    void theFormIsASettingAndTheLanguageTheClients() throws Exception {
        start(ONE_AN_HOUR, "responder", "envelope");
        client.get("/plain");
        long before = System.currentTimeMillis();
        Answer german = client.get("/plain", "Accept-Language: it, de-CH;q=0.8, en;q=0.5");
        assertThat(german.header("Content-Type")).isEqualTo("application/json");
        assertThat(german.header("Content-Language")).isEqualTo("de");
        assertThat(german.text()).startsWith("{\"error\":{").contains("ist überschritten; bitte in 3600 Sekunden");
        long renewal = Long.parseLong(german.text().replaceAll(".*\"renewal\":([0-9]+)}}}", "$1"));
        assertThat(renewal).isBetween(before + 3_590_000, System.currentTimeMillis() + 3_600_000);
        assertThat(client.get("/plain").header("Content-Language")).isEqualTo("en");
    }

    @Test
    void whatAnotherFilterSaysInVaryStays() throws Exception {
        startBehind(
                (request, response, chain) -> {
                    ((HttpServletResponse) response).setHeader("Vary", "Origin");
                    chain.doFilter(request, response);
                },
                ONE_AN_HOUR);
        assertThat(client.get("/plain").headers().get("Vary")).containsExactly("Origin");
        assertThat(String.join(", ", client.get("/plain").headers().get("Vary")))
                .isEqualTo("Origin, Accept, Accept-Language");
    }
}
