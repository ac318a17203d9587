package io.ratelimit.server.daemon;

import com.google.common.base.Strings;
import io.ratelimit.RequestContext;
import io.ratelimit.core.client.AddressLiteral;
import io.ratelimit.core.http.QueryString;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a caller tells of one request, as JSON has it.
 *
 * @param method the request's method, GET where none is named
 * @param path the path, decoded, / where none is named
 * @param query the query as it was sent, or null
 * @param operation what the request does, or null
 * @param cost tokens, or null where the rules say it
 * @param ip the address of the caller's peer, or null
 * @param user the authenticated user, or null
 * @param headers lines by name
 * @param cookies values by name
 * @param attributes texts, numbers and truth values by name
 * @param look whether it is only to be looked what would be decided
 * @param settle whether the caller wants to settle what is charged
 */
record Question(
        @Nullable String method,
        @Nullable String path,
        @Nullable String query,
        @Nullable String operation,
        @Nullable Long cost,
        @Nullable String ip,
        @Nullable String user,
        @Nullable Map<String, List<String>> headers,
        @Nullable Map<String, String> cookies,
        @Nullable Map<String, Object> attributes,
        @Nullable Boolean look,
        @Nullable Boolean settle) {

    /** Checks what JSON cannot say by itself. */
    Question {
        if (cost != null && cost < 0) {
            throw wrong("cost", "it must be a whole number of tokens, 0 or more");
        }
        if (ip != null && !ip.isEmpty() && AddressLiteral.parse(ip) == null) {
            throw wrong("ip", "it must be an address such as 192.0.2.7 or 2001:db8::1");
        }
        if (headers != null && headers.values().stream().anyMatch(Question::isIncomplete)) {
            throw wrong("headers", "it must have a text, or a list of texts, for each name");
        }
        if (cookies != null && cookies.containsValue(null)) {
            throw wrong("cookies", "it must have a text for each name");
        }
        if (attributes != null && !attributes.values().stream().allMatch(Question::isScalar)) {
            throw wrong("attributes", "it must have a text, a number, true or false for each name");
        }
    }

    private static BadQuestionException wrong(String field, String right) {
        return new BadQuestionException("the field '" + field + "' has a value that is not valid: " + right);
    }

    private static boolean isIncomplete(@Nullable List<String> lines) {
        return lines == null || lines.contains(null);
    }

    private static boolean isScalar(@Nullable Object value) {
        return value instanceof String || value instanceof Number || value instanceof Boolean;
    }

    boolean isLook() {
        return Boolean.TRUE.equals(look);
    }

    boolean wantsToSettle() {
        return Boolean.TRUE.equals(settle);
    }

    RequestContext toContext() {
        return new Told(this);
    }

    /** The request as the limiter reads it. */
    private static final class Told implements RequestContext {

        private final Question question;
        private final Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        private final QueryString query;

        Told(Question question) {
            this.question = question;
            this.query = new QueryString(question.query);
            if (question.headers != null) {
                headers.putAll(question.headers);
            }
        }

        @Override
        public String method() {
            return question.method == null ? "GET" : question.method;
        }

        @Override
        public String path() {
            return question.path == null ? "/" : question.path;
        }

        @Override
        public @Nullable String operation() {
            return question.operation;
        }

        @Override
        public long cost() {
            return question.cost == null ? NO_COST : question.cost;
        }

        @Override
        public @Nullable String peerAddress() {
            return Strings.emptyToNull(question.ip);
        }

        @Override
        public @Nullable String user() {
            return Strings.emptyToNull(question.user);
        }

        @Override
        public List<String> headers(String name) {
            return headers.getOrDefault(name, List.of());
        }

        @Override
        public @Nullable String cookie(String name) {
            return question.cookies == null ? null : question.cookies.get(name);
        }

        @Override
        public @Nullable Object attribute(String name) {
            return question.attributes == null ? null : question.attributes.get(name);
        }

        @Override
        public List<String> queryParameters(String name) {
            return query.values(name);
        }
    }
}
