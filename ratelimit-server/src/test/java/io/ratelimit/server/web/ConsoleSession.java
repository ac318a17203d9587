package io.ratelimit.server.web;

import io.ratelimit.server.web.RunningService.Answer;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Somebody who has signed in, and sends forms as browsers do. */
public final class ConsoleSession {

    private static final Pattern CSRF = Pattern.compile("name=\"csrf\" value=\"([^\"]+)\"");

    private final RunningService service;
    private final String cookie;
    private final String csrf;

    private ConsoleSession(RunningService service, String cookie) {
        this.service = service;
        this.cookie = cookie;
        this.csrf = csrfIn(get("/"));
    }

    /** Signs in with a token. */
    public static ConsoleSession signIn(RunningService service, String token) {
        Answer answer = service.send(form(service.request("/sign-in", null), Map.of("token", token, "next", "/")));
        if (answer.status() != 303) {
            throw new AssertionError(answer);
        }
        return new ConsoleSession(service, answer.header("Set-Cookie").replaceFirst(";.*", ""));
    }

    public Answer get(String path) {
        return service.send(request(path).GET());
    }

    /** Sends a form as a page of this session has it. */
    public Answer post(String path, Map<String, String> fields) {
        Map<String, String> all = new LinkedHashMap<>(fields);
        all.put("csrf", csrf);
        return postAlone(path, all);
    }

    /** Sends a form without what a page of this session would add. */
    public Answer postAlone(String path, Map<String, String> fields) {
        return service.send(form(request(path), fields));
    }

    public HttpRequest.Builder request(String path) {
        return service.request(path, null).header("Cookie", cookie);
    }

    private static String csrfIn(Answer page) {
        Matcher field = CSRF.matcher(page.body());
        if (!field.find()) {
            throw new AssertionError(page);
        }
        return field.group(1);
    }

    private static HttpRequest.Builder form(HttpRequest.Builder request, Map<String, String> fields) {
        String body = fields.entrySet().stream()
                .map(field -> encoded(field.getKey()) + "=" + encoded(field.getValue()))
                .collect(Collectors.joining("&"));
        return request.header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(body));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
