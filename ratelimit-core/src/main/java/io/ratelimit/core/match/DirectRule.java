package io.ratelimit.core.match;

import io.ratelimit.RequestContext;
import io.ratelimit.core.bucket.ClientKind;
import io.ratelimit.core.bucket.DirectBuckets;
import io.ratelimit.core.bucket.DirectSpending;
import io.ratelimit.core.bucket.Verdict;
import io.ratelimit.core.client.SingleIdentifier;
import io.ratelimit.rules.Rule;
import io.ratelimit.store.Charge;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The limits that a rule, or one of its overrides, sets, where buckets can be asked without a charge being made for a
 * store. Whatever comes of it, a request is asked for its key and its cost once. Immutable; safe for use by any thread.
 */
public final class DirectRule {

    /**
     * One way to tell clients apart.
     *
     * @param reader reads a request's value
     * @param kind whose value that is
     */
    private record Way(SingleIdentifier reader, ClientKind kind) {}

    /** Goes on where buckets cannot decide directly. */
    public interface LongWay {

        /**
         * Asks the store.
         *
         * @param charge what the request is to be charged
         * @return whether the request may pass
         */
        boolean allows(RuleCharge charge);

        /**
         * Hears of a request that does not carry what the key is built from, and passes.
         *
         * @param rule the rule, which does not apply
         */
        void unidentified(Rule rule);
    }

    private final LimitedRule limits;
    private final DirectBuckets buckets;
    private final Way[] ways;
    private final UnreadableRequests unreadable;

    /**
     * Makes the limits ready.
     *
     * @param limits the limits
     * @param buckets the clients' buckets
     * @param readers how clients are told apart, in the order in which a request is asked
     * @param unreadable hears of requests whose key cannot be read
     */
    DirectRule(
            LimitedRule limits, DirectBuckets buckets, List<SingleIdentifier> readers, UnreadableRequests unreadable) {
        this.limits = limits;
        this.buckets = buckets;
        this.ways = readers.stream()
                .map(reader -> new Way(reader, kindOf(reader, buckets)))
                .toArray(Way[]::new);
        this.unreadable = unreadable;
    }

    private static ClientKind kindOf(SingleIdentifier reader, DirectBuckets buckets) {
        return reader.only() == null
                ? buckets.kinds().of(reader.kind())
                : buckets.kinds().only(reader.only());
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
     * Charges the client of a request.
     *
     * @param request the request
     * @param cost tokens, at least 0
     * @param otherwise goes on where the buckets have no verdict
     * @return whether the request may pass
     * @throws IllegalArgumentException if the cost is negative
     */
    public boolean allows(RequestContext request, long cost, LongWay otherwise) {
        String value = null;
        Way found = null;
        try {
            for (int i = 0; i < ways.length && value == null; i++) {
                found = ways[i];
                value = found.reader.read(request);
            }
        } catch (Throwable e) {
            unreadable.reportKey(limits.rule(), e);
        }
        if (found == null || value == null) {
            otherwise.unidentified(limits.rule());
            return true;
        }
        Verdict verdict = buckets.spend(found.kind, value, cost);
        return verdict == Verdict.UNDECIDED
                ? otherwise.allows(chargeOf(new DirectClient(found.kind, value), cost))
                : verdict == Verdict.ALLOWED;
    }

    /**
     * The client of a request.
     *
     * @param request the request
     * @return the client, or null where the request does not carry what the key is built from, or throws
     */
    public @Nullable DirectClient clientOf(RequestContext request) {
        try {
            for (Way way : ways) {
                String value = way.reader.read(request);
                if (value != null) {
                    return new DirectClient(way.kind, value);
                }
            }
        } catch (Throwable e) {
            unreadable.reportKey(limits.rule(), e);
        }
        return null;
    }

    /**
     * Charges a client.
     *
     * @param client the client
     * @param cost tokens, at least 0
     * @return what became of it, or null where the store must be asked
     * @throws IllegalArgumentException if the cost is negative
     */
    public @Nullable DirectSpending spend(DirectClient client, long cost) {
        return buckets.spendInDetail(client.kind(), client.value(), cost);
    }

    /**
     * The charge of a client, for the store.
     *
     * @param client the client
     * @param cost tokens, at least 0
     * @return the charge
     * @throws IllegalArgumentException if the cost is negative
     */
    public RuleCharge chargeOf(DirectClient client, long cost) {
        return new RuleCharge(limits, new Charge(client.identifier(), limits.bucket(), cost));
    }
}
