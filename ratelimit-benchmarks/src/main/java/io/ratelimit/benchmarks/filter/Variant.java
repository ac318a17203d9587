package io.ratelimit.benchmarks.filter;

import io.ratelimit.benchmarks.RulesInMemory;
import io.ratelimit.servlet.RateLimitFilter;
import jakarta.servlet.Filter;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.ee11.servlets.DoSFilter;

/** What stands in front of the application. No filter ever refuses; else all are as they are by default. */
public enum Variant {
    /** What the others are compared with. */
    NONE("none"),
    /** The same, once more: what differs is the error of the measurement. */
    NONE_AGAIN("noneAgain"),
    /** Ours, with all its header fields. */
    OURS("ours"),
    /** Ours, which tells nothing. */
    OURS_WITHOUT_HEADERS("oursWithoutHeaders"),
    /** No limiter, but the header fields of ours: what they cost the container, whoever sets them. */
    FIVE_FIELDS("fiveFields"),
    /**
     * Jetty's. It keeps the times of a client's last requests, as many as it allows in a second, and plans to interrupt
     * each request that takes too long.
     */
    DOS_FILTER("doSFilter"),
    /** Tomcat's. It counts the requests of a client in a minute. */
    RATE_LIMIT_FILTER("rateLimitFilter"),
    /** Tomcat's, which tells the client where it stands. */
    RATE_LIMIT_FILTER_WITH_HEADERS("rateLimitFilterWithHeaders");

    /** One rule, which tells clients apart by address, as the other filters do. */
    private static final String RULES = """
            service: benchmarks
            clients: [ip]
            rules:
              - { name: everyone, match: { path: /api/** }, limits: [1000000000 per 1s] }
            """;

    private static final String MOST_IN_A_SECOND = "200000";
    private static final String MOST_IN_A_MINUTE = "1000000000";

    private final String title;

    Variant(String title) {
        this.title = title;
    }

    /**
     * The name in the report.
     *
     * @return the name
     */
    public String title() {
        return title;
    }

    boolean runsOn(Container container) {
        return switch (this) {
            case NONE, NONE_AGAIN, OURS, OURS_WITHOUT_HEADERS, FIVE_FIELDS -> true;
            case DOS_FILTER -> container == Container.JETTY;
            case RATE_LIMIT_FILTER, RATE_LIMIT_FILTER_WITH_HEADERS -> container == Container.TOMCAT;
        };
    }

    /** Whether answers tell the client where it stands. */
    boolean tellsLimits() {
        return this == OURS || this == FIVE_FIELDS || this == RATE_LIMIT_FILTER_WITH_HEADERS;
    }

    Optional<Filter> filter() {
        return switch (this) {
            case NONE, NONE_AGAIN -> Optional.empty();
            case OURS, OURS_WITHOUT_HEADERS ->
                Optional.of(RateLimitFilter.builder()
                        .rules(new RulesInMemory(RULES))
                        .build());
            case FIVE_FIELDS -> Optional.of(new FiveFields());
            case DOS_FILTER -> Optional.of(new DoSFilter());
            case RATE_LIMIT_FILTER, RATE_LIMIT_FILTER_WITH_HEADERS ->
                Optional.of(new org.apache.catalina.filters.RateLimitFilter());
        };
    }

    Map<String, String> initParameters() {
        return switch (this) {
            case NONE, NONE_AGAIN, OURS, FIVE_FIELDS -> Map.of();
            case OURS_WITHOUT_HEADERS -> Map.of("headers", "none");
            case DOS_FILTER -> Map.of("maxRequestsPerSec", MOST_IN_A_SECOND);
            case RATE_LIMIT_FILTER -> Map.of("bucketRequests", MOST_IN_A_MINUTE);
            case RATE_LIMIT_FILTER_WITH_HEADERS -> Map.of("bucketRequests", MOST_IN_A_MINUTE, "exposeHeaders", "true");
        };
    }
}
