package io.ratelimit.core.http;

import io.ratelimit.Decision;
import io.ratelimit.LimitState;
import io.ratelimit.LimitVisitor;
import io.ratelimit.rules.Limit;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * {@code RateLimit-Policy} and {@code RateLimit} of draft-ietf-httpapi-ratelimit-headers-11, in the list syntax of RFC
 * 9651. The names of limits hold no character that a string of RFC 9651 would have to escape.
 *
 * <p>{@code w} is the time that an empty bucket takes to fill, so that {@code r} never exceeds {@code q}; it is left out
 * where time alone brings nothing, as of requests that are under way. {@code t} of
 * an allowed answer is the time to the next token. A refusal tells the state of the limits that refused only, with the
 * time until each admits the same request: what other limits have left would send the client back too early.
 *
 * <p>A server has room for a few thousand bytes of fields and fails a request whose fields are longer. So each of the two
 * is at most {@value #MOST_BYTES} bytes long and names at most {@value #MOST_ITEMS} limits. Of more, both tell of the same
 * ones, the one that decided first: those that refused, the longest wait first, then those with the fewest tokens left.
 * Thread-safe.
 */
final class IetfDraft11Fields {

    static final String POLICY = "RateLimit-Policy";
    static final String STATE = "RateLimit";

    static final int MOST_ITEMS = 16;

    /** Of each field. All that is written is ASCII. */
    static final int MOST_BYTES = 1_024;

    /** So that rules that change for ever take no memory. */
    private static final int MOST_NAMES = 100_000;

    private static final int MOST_LIMITS_OF_A_NAME = 16;

    /** By the limit's name: a rule and its overrides share one. */
    private final ConcurrentMap<String, List<PolicyText>> texts = new ConcurrentHashMap<>();

    void tell(Decision decision, FieldSink sink) {
        Items items = new Items(decision.allowed());
        decision.forEachLimit(items);
        if (!items.complete) {
            items = mostTelling(decision);
        }
        if (!items.states.isEmpty()) {
            sink.set(POLICY, items.policies());
            sink.set(STATE, items.states.toString());
        }
    }

    private Items mostTelling(Decision decision) {
        Items items = new Items(decision.allowed());
        for (ToldLimit limit : ToldLimit.mostTelling(decision, MOST_ITEMS)) {
            items.visit(limit.limit(), limit.policy(), limit.state());
        }
        return items;
    }

    private PolicyText textOf(Limit limit, String policy) {
        List<PolicyText> known = texts.getOrDefault(policy, List.of());
        for (int i = 0; i < known.size(); i++) {
            if (known.get(i).limit().equals(limit)) {
                return known.get(i);
            }
        }
        PolicyText made = PolicyText.of(limit, policy);
        if (texts.size() < MOST_NAMES || !known.isEmpty()) {
            // The newest first: limits that a reload has replaced are asked for no more.
            texts.put(
                    policy,
                    Stream.concat(Stream.of(made), known.stream())
                            .limit(MOST_LIMITS_OF_A_NAME)
                            .toList());
        }
        return made;
    }

    /** The items of one decision's limits, as far as there is room. */
    private final class Items implements LimitVisitor {

        private final boolean allowed;
        private final StringBuilder states = new StringBuilder(64);

        /** The policy of the first limit alone, which is most often the only one. */
        private String first = "";

        private @Nullable StringBuilder several;
        private int count;
        private boolean complete = true;

        Items(boolean allowed) {
            this.allowed = allowed;
        }

        @Override
        public void visit(Limit limit, String policy, LimitState state) {
            if (count == MOST_ITEMS) {
                complete = false;
                return;
            }
            PolicyText text = textOf(limit, policy);
            int before = states.length();
            if (allowed || !state.admits()) {
                add(text, state);
            }
            if (states.length() > MOST_BYTES || policiesLength(text) > MOST_BYTES) {
                states.setLength(before);
                complete = false;
                return;
            }
            count++;
            if (first.isEmpty()) {
                first = text.item();
            } else {
                several = (several == null ? new StringBuilder(first) : several)
                        .append(", ")
                        .append(text.item());
            }
        }

        private int policiesLength(PolicyText next) {
            int before = several == null ? first.length() : several.length();
            return (before == 0 ? 0 : before + 2) + next.item().length();
        }

        private void add(PolicyText text, LimitState state) {
            states.append(states.isEmpty() ? "" : ", ").append(text.state()).append(state.remaining());
            long wait = state.admits() ? Waits.untilNextToken(state) : Waits.untilAdmitted(state);
            if (wait > 0) {
                states.append(";t=").append(wait);
            }
        }

        String policies() {
            return several == null ? first : several.toString();
        }
    }
}
