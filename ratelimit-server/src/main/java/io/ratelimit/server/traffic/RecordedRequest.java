package io.ratelimit.server.traffic;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One request as a host has recorded it. Its texts are what a client sent, and may hold anything, control characters and
 * markup included; those that are longer than {@link #LONGEST_TEXT} are cut, so that a client cannot make a report
 * unreadable. Secrets come hashed, as {@code #} and hexadecimal digits. Immutable.
 *
 * @param at when it was decided, in milliseconds since the epoch
 * @param method its method
 * @param path its path, decoded and below the context path
 * @param operation what the application calls it, or null
 * @param user the authenticated user, or null
 * @param ip the client's address behind all trusted proxies, or null
 * @param cost what it cost by the application's word or by a resolver, at least 0; null where the rules said it
 * @param headers lines by name, in lower case; those that the rules look at
 * @param cookies values by name; those that the rules look at
 * @param attributes attributes by name; those that the rules look at
 * @param status the status that the application answered with, or null
 * @param millis how long the application took, at least 0, or null
 * @param refused whether the host refused it
 */
public record RecordedRequest(
        long at,
        String method,
        String path,
        @Nullable String operation,
        @Nullable String user,
        @Nullable String ip,
        @Nullable Long cost,
        Map<String, List<String>> headers,
        Map<String, String> cookies,
        Map<String, String> attributes,
        @Nullable Integer status,
        @Nullable Long millis,
        boolean refused) {

    /** How long a text may be that a client has sent. */
    public static final int LONGEST_TEXT = 2_048;

    private static final int MOST_VALUES = 50;

    /** An object with its fields, in bytes. */
    private static final int BARE_WEIGHT = 150;

    /** An entry of a map, of which most have one. */
    private static final int ENTRY_WEIGHT = 80;

    /**
     * Cuts the texts and copies the maps.
     *
     * @throws IllegalArgumentException if a component is out of its range
     */
    public RecordedRequest {
        Checks.time("at", at);
        Checks.present("method", method);
        Checks.present("path", path);
        Checks.range("cost", cost, 0, Checks.MOST_COUNTED);
        Checks.range("status", status, 100, 999);
        Checks.range("millis", millis, 0, Checks.LATEST);
        Checks.size("headers", headers, MOST_VALUES);
        headers.values().forEach(lines -> Checks.size("headers", lines, MOST_VALUES));
        Checks.size("cookies", cookies, MOST_VALUES);
        Checks.size("attributes", attributes, MOST_VALUES);
        UnaryOperator<String> cut = text -> Checks.cut(text, LONGEST_TEXT);
        method = cut.apply(method);
        path = cut.apply(path);
        operation = operation == null ? null : cut.apply(operation);
        user = user == null ? null : cut.apply(user);
        ip = ip == null ? null : cut.apply(ip);
        headers = lines(headers, cut);
        cookies = values(cookies, cut);
        attributes = values(attributes, cut);
    }

    private static Map<String, List<String>> lines(Map<String, List<String>> headers, UnaryOperator<String> change) {
        ImmutableMap.Builder<String, List<String>> changed = ImmutableMap.builder();
        headers.forEach((name, lines) -> changed.put(
                change.apply(Ascii.toLowerCase(name)),
                lines.stream().map(change).toList()));
        return changed.buildKeepingLast();
    }

    private static Map<String, String> values(Map<String, String> values, UnaryOperator<String> change) {
        ImmutableMap.Builder<String, String> changed = ImmutableMap.builder();
        values.forEach((name, value) -> changed.put(change.apply(name), change.apply(value)));
        return changed.buildKeepingLast();
    }

    /** The same request at another time. */
    RecordedRequest at(long millisSinceEpoch) {
        return new RecordedRequest(
                millisSinceEpoch,
                method,
                path,
                operation,
                user,
                ip,
                cost,
                headers,
                cookies,
                attributes,
                status,
                millis,
                refused);
    }

    /** The same request with texts that are shared with others. */
    RecordedRequest with(UnaryOperator<String> shared) {
        return new RecordedRequest(
                at,
                shared.apply(method),
                shared.apply(path),
                operation == null ? null : shared.apply(operation),
                user == null ? null : shared.apply(user),
                ip == null ? null : shared.apply(ip),
                cost,
                lines(headers, shared),
                values(cookies, shared),
                values(attributes, shared),
                status,
                millis,
                refused);
    }

    /** All texts, each as often as it occurs. */
    Stream<String> texts() {
        Stream<String> plain = Stream.<@Nullable String>of(method, path, operation, user, ip)
                .filter(Objects::nonNull)
                .map(Objects::requireNonNull);
        return Stream.of(
                        plain,
                        headers.keySet().stream(),
                        headers.values().stream().flatMap(List::stream),
                        cookies.keySet().stream(),
                        cookies.values().stream(),
                        attributes.keySet().stream(),
                        attributes.values().stream())
                .flatMap(texts -> texts);
    }

    /** How much memory it takes without its texts, in bytes, estimated from above. */
    int bareWeight() {
        int lines = headers.values().stream().mapToInt(List::size).sum();
        return BARE_WEIGHT + ENTRY_WEIGHT * (headers.size() + lines + cookies.size() + attributes.size());
    }
}
