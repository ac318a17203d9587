package io.ratelimit.server.envoy;

import com.google.common.base.Ticker;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor.RateLimitOverride;
import io.ratelimit.ClientIdentifier;
import io.ratelimit.TimeSource;
import io.ratelimit.core.match.LimitedRule;
import io.ratelimit.rules.Condition;
import io.ratelimit.rules.Key;
import io.ratelimit.rules.OnExceeded;
import io.ratelimit.rules.Rule;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.server.envoy.descriptor.DescriptorEntry;
import io.ratelimit.server.envoy.descriptor.DescriptorLimit;
import io.ratelimit.server.envoy.descriptor.DescriptorMatch;
import io.ratelimit.server.envoy.descriptor.LimitUnit;
import io.ratelimit.server.envoy.descriptor.RuleLimits;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Limits that requests bring along for a descriptor. Each has buckets of its own, so that another limit for the same
 * descriptor begins anew. A limit takes far more memory than a client, so there are so many at a time, for as long as
 * their buckets may not be full; beyond, there is an error and nothing in force is lost. Thread-safe.
 */
final class RequestLimits {

    /** All of them have one rule, because their numbers are the callers' own: nobody makes names of meters with them. */
    static final String RULE = "descriptor-limit";

    /** About ten megabytes of them, and of each unit a fair share. */
    static final int MOST_OF_A_UNIT = 2_000;

    /** So long buckets that are full may stay before somebody sweeps them away. */
    private static final Duration SWEPT = Duration.ofMinutes(2);

    private record Wanted(String domain, long requests, LimitUnit unit) {}

    private final RuleLimits limits;
    private final Map<LimitUnit, Cache<Wanted, LimitedRule>> ready = new EnumMap<>(LimitUnit.class);

    RequestLimits(RuleLimits limits, TimeSource time) {
        this.limits = limits;
        for (LimitUnit unit : LimitUnit.values()) {
            ready.put(unit, cache(unit.length().plus(SWEPT), time));
        }
    }

    private static Cache<Wanted, LimitedRule> cache(Duration kept, TimeSource time) {
        return CacheBuilder.newBuilder()
                .expireAfterAccess(kept)
                .ticker(new Ticker() {
                    @Override
                    public long read() {
                        return time.nanoTime();
                    }
                })
                .build();
    }

    /** The limit of a descriptor; empty where its unit is none that is known. */
    Optional<DescriptorMatch> find(String domain, RateLimitOverride limit, List<DescriptorEntry> entries) {
        return unit(limit).map(unit -> {
            long requests = Integer.toUnsignedLong(limit.getRequestsPerUnit());
            LimitedRule rule = limited(new Wanted(domain, requests, unit));
            return new DescriptorMatch(
                    new DescriptorLimit(null, Set.of(), new DescriptorLimit.Quota(requests, unit, rule)),
                    client(domain, entries));
        });
    }

    private static Optional<LimitUnit> unit(RateLimitOverride limit) {
        return Arrays.stream(LimitUnit.values())
                .filter(unit -> unit.name().equals(limit.getUnit().name()))
                .findFirst();
    }

    private LimitedRule limited(Wanted wanted) {
        Cache<Wanted, LimitedRule> ofUnit = Objects.requireNonNull(ready.get(wanted.unit));
        LimitedRule known = ofUnit.getIfPresent(wanted);
        if (known == null) {
            requireRoom(ofUnit);
            known = make(wanted);
            ofUnit.put(wanted, known);
        }
        return known;
    }

    private static void requireRoom(Cache<Wanted, LimitedRule> ofUnit) {
        if (ofUnit.size() >= MOST_OF_A_UNIT) {
            ofUnit.cleanUp();
            if (ofUnit.size() >= MOST_OF_A_UNIT) {
                throw new IllegalStateException("requests have brought " + MOST_OF_A_UNIT
                        + " different limits of one unit of time, and may not bring more until some are not used any"
                        + " more: let fewer numbers stand in their dynamic metadata");
            }
        }
    }

    private LimitedRule make(Wanted wanted) {
        Rule rule = new Rule(
                RULE,
                Condition.ALWAYS,
                new Key.Client(),
                List.of(wanted.unit.limit(wanted.requests)),
                List.of(),
                OnExceeded.REJECT,
                StorePolicy.UNSET);
        return limits.limited(rule, wanted.domain, 1).inBuckets(RULE + "/" + wanted.requests + "-" + wanted.unit);
    }

    /** Keys are the callers' own here as well, and kinds of clients are few: all entries make one value. */
    private static ClientIdentifier client(String domain, List<DescriptorEntry> entries) {
        StringBuilder value = new StringBuilder(sized(domain));
        entries.forEach(entry -> value.append(sized(entry.key())).append(sized(entry.value())));
        return ClientIdentifier.of("descriptor", value.toString());
    }

    private static String sized(String text) {
        return text.length() + ":" + text;
    }
}
