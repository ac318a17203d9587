package io.ratelimit.core;

import io.ratelimit.CostResolver;
import io.ratelimit.RequestContext;
import java.util.regex.Pattern;

/**
 * The number in a parameter of the query as the cost, such as the size of the page that {@code ?size=50} asks for. Handed
 * to an engine's builder as it is; to be found by {@link java.util.ServiceLoader}, extend it by a class whose constructor
 * has no parameters. Immutable and thread-safe.
 */
public class QueryParameterCost implements CostResolver {

    /** Only digits that are one char: {@link Long#parseLong} knows no others. */
    private static final Pattern WHOLE_NUMBER = Pattern.compile("[+-]?[\\p{Nd}&&[\\x{0}-\\x{FFFF}]]{1,18}");

    private final String name;
    private final String parameter;
    private final long least;
    private final long most;

    /**
     * Reads one parameter.
     *
     * @param name the name that rules files know this resolver by, of letters, digits, {@code .}, {@code _} and
     *     {@code -}
     * @param parameter the parameter's name
     * @param least the cost in tokens where the parameter is missing or below it, at least 0
     * @param most the cost in tokens where the parameter is above it or no whole number, at least {@code least}
     * @throws IllegalArgumentException if the costs are out of these ranges
     */
    public QueryParameterCost(String name, String parameter, long least, long most) {
        if (least < 0 || most < least) {
            throw new IllegalArgumentException(
                    "costs between 0 and the most are due, not between " + least + " and " + most);
        }
        this.name = name;
        this.parameter = parameter;
        this.least = least;
        this.most = most;
    }

    @Override
    public final String name() {
        return name;
    }

    /**
     * The parameter's value, raised to the least or lowered to the most. Of several values the greatest counts, and one
     * that is no whole number, or has more than 18 digits, costs the most: who knows what the application makes of it. An
     * empty value is none.
     */
    @Override
    public final long cost(RequestContext request) {
        long cost = least;
        for (String value : request.queryParameters(parameter)) {
            cost = Math.max(cost, cost(value.strip()));
        }
        return cost;
    }

    private long cost(String value) {
        if (value.isEmpty()) {
            return least;
        }
        return WHOLE_NUMBER.matcher(value).matches() ? Math.min(Long.parseLong(value), most) : most;
    }
}
