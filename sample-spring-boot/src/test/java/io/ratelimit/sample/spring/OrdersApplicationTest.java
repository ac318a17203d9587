package io.ratelimit.sample.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

class OrdersApplicationTest {

    private final HttpClient http = HttpClient.newHttpClient();
    private ConfigurableApplicationContext application;

    private void start(String... args) {
        SpringApplication spring = new SpringApplication(OrdersApplication.class);
        spring.setDefaultProperties(Map.of("server.port", "0"));
        application = spring.run(args);
    }

    @AfterEach
    void stop() {
        application.close();
    }

    private HttpResponse<String> get(String path) throws Exception {
        String port = application.getEnvironment().getRequiredProperty("local.server.port");
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/orders", "/api/reports"})
    void aClientIsToldWhereItStandsAndRefusedAboveItsLimit(String path) throws Exception {
        start();
        for (String remaining : List.of("2", "1", "0")) {
            HttpResponse<String> passed = get(path);
            assertThat(passed.body()).isEqualTo(path.substring("/api/".length()));
            assertThat(passed.headers().firstValue("X-RateLimit-Remaining")).contains(remaining);
        }
        HttpResponse<String> refused = get(path);
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.headers().firstValue("Retry-After")).contains("1200");
        assertThat(refused.headers().firstValue("RateLimit-Policy")).contains("\"everyone\";q=3;w=3600");
        assertThat(refused.body()).contains("\"violated-policies\":[\"everyone\"]");
        assertThat(get("/health").body()).isEqualTo("up");
    }

    @Test
    void propertiesOfTheServletContextAreSettings() throws Exception {
        start(
                "--server.servlet.context-parameters.ratelimit.headers=x-ratelimit",
                "--server.servlet.context-parameters.ratelimit.resetFormat=delta-seconds");
        HttpResponse<String> answer = get("/api/orders");
        assertThat(answer.headers().firstValue("RateLimit")).isEmpty();
        assertThat(answer.headers().firstValue("X-RateLimit-Reset")).contains("1200");
    }

    @Test
    void closingTheContextEndsTheThreadsOfTheLimiter() {
        Set<Thread> before = threadsOfTheLimiter();
        start();
        Set<Thread> running = threadsOfTheLimiter();
        running.removeAll(before);
        assertThat(running).isNotEmpty();
        application.close();
        assertThat(threadsOfTheLimiter()).doesNotContainAnyElementsOf(running);
    }

    private static Set<Thread> threadsOfTheLimiter() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("ratelimit"))
                .collect(Collectors.toSet());
    }
}
