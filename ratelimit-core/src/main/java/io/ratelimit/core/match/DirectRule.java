package io.ratelimit.core.match;

import io.ratelimit.RequestContext;
import io.ratelimit.core.bucket.ClientBuckets;
import io.ratelimit.core.bucket.ClientKind;
import io.ratelimit.core.bucket.LocalSpending;
import io.ratelimit.core.bucket.Verdict;
import io.ratelimit.core.client.SingleIdentifier;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The limits that a rule, or one of its overrides, sets, where this host's own buckets can be asked without a charge being
 * made for it. Immutable; safe for use by any thread.
 */
public final class DirectRule {

    /**
     * One way to tell clients apart.
     *
     * @param reader reads a request's value
     * @param kind whose value that is
     */
    private record Way(SingleIdentifier reader, ClientKind kind) {}

    private final LimitedRule limits;
    private final ClientBuckets buckets;
    private final Way[] ways;

    /**
     * Makes the limits ready.
     *
     * @param limits the limits
     * @param buckets the clients' buckets
     * @param readers how clients are told apart, in the order in which a request is asked
     */
    DirectRule(LimitedRule limits, ClientBuckets buckets, List<SingleIdentifier> readers) {
        this.limits = limits;
        this.buckets = buckets;
        this.ways = readers.stream()
                .map(reader -> new Way(reader, kindOf(reader, buckets)))
                .toArray(Way[]::new);
    }

    private static ClientKind kindOf(SingleIdentifier reader, ClientBuckets buckets) {
        return reader.only() == null ? buckets.clientsOf(reader.kind()) : buckets.only(reader.only());
    }

    /**
     * The limits.
     *
     * @return the rule with its limits
     */
    public LimitedRule limits() {
        return limits;
    }

    /**
     * Charges the client of a request. Allocates nothing for a client who is known.
     *
     * @param request the request
     * @param cost tokens, at least 0
     * @return the verdict; undecided where the request does not carry what the key is built from
     */
    public Verdict spend(RequestContext request, long cost) {
        for (Way way : ways) {
            String value = way.reader.read(request);
            if (value != null) {
                return buckets.spend(way.kind, value, cost);
            }
        }
        return Verdict.UNDECIDED;
    }

    /**
     * Charges the client of a request, and tells more than the verdict.
     *
     * @param request the request
     * @param cost tokens, at least 0
     * @return what became of it, or null where there is no verdict
     */
    public @Nullable LocalSpending spendInDetail(RequestContext request, long cost) {
        for (Way way : ways) {
            String value = way.reader.read(request);
            if (value != null) {
                return buckets.spendInDetail(way.kind, value, cost);
            }
        }
        return null;
    }
}
