package io.ratelimit.core;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.Decision;
import io.ratelimit.LimitState;
import io.ratelimit.LimitStatus;
import io.ratelimit.Settlement;
import io.ratelimit.core.match.LimitedRule;
import io.ratelimit.core.match.RuleCharge;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.OnFailure;
import io.ratelimit.rules.Rule;
import io.ratelimit.store.Charge;
import io.ratelimit.store.ChargeOutcome;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What the buckets said of a request, with the receipts of what was spent for it. */
final class EngineDecision implements Decision {

    /** No limit applies. */
    static final EngineDecision NO_LIMIT =
            new EngineDecision(null, Reason.NO_LIMIT, List.of(), new SpendOutcome(true, false, List.of()), List.of());

    /** The same as {@link #NO_LIMIT}, for a request that must be told from others. */
    static EngineDecision noLimit() {
        return new EngineDecision(null, Reason.NO_LIMIT, List.of(), NO_LIMIT.outcome, List.of());
    }

    /** The limiter itself failed: in doubt the request passes. */
    static final EngineDecision BROKEN =
            new EngineDecision(null, Reason.FAILURE, List.of(), new SpendOutcome(true, true, List.of()), List.of());

    private final @Nullable ChargeLedger ledger;
    private final Reason reason;
    private final List<RuleCharge> charges;
    private final SpendOutcome outcome;
    private final List<Spent> spent;
    private final Settlement settlement;

    private EngineDecision(
            @Nullable ChargeLedger ledger,
            Reason reason,
            List<RuleCharge> charges,
            SpendOutcome outcome,
            List<Spent> spent) {
        this.ledger = ledger;
        this.reason = reason;
        this.charges = charges;
        this.outcome = outcome;
        this.spent = spent;
        this.settlement =
                ledger == null || !outcome.allowed() ? Settlement.NOTHING : new ChargeSettlement(ledger, this);
    }

    /**
     * Tokens that the request paid and did not get back.
     *
     * @param charge the charge by which it paid them
     * @param receipt what a refund needs; null where nothing was spent
     * @param tokens how many, at least 0
     */
    record Spent(Charge charge, @Nullable Receipt receipt, long tokens) {

        Spent less(long refunded) {
            return new Spent(charge, receipt, tokens - refunded);
        }
    }

    /**
     * A decision by the buckets.
     *
     * @param ledger keeps account of what is spent
     * @param charges what was asked for
     * @param outcome what became of each charge, in the same order
     */
    static EngineDecision of(ChargeLedger ledger, List<RuleCharge> charges, SpendOutcome outcome) {
        List<Spent> spent = new ArrayList<>(outcome.charges().size());
        for (ChargeOutcome made : outcome.charges()) {
            spent.add(new Spent(made.charge(), made.receipt(), made.charge().cost()));
        }
        return new EngineDecision(ledger, reason(outcome.allowed(), outcome.degraded()), charges, outcome, spent);
    }

    /**
     * What would be decided, by buckets that were only looked at: nothing is spent, and nothing to be settled.
     *
     * @param charges what would be asked for
     * @param looks what each bucket says, in the same order
     */
    static EngineDecision ofLook(List<RuleCharge> charges, SpendOutcome looks) {
        return unspent(charges, new SpendOutcome(admits(charges, looks), looks.degraded(), looks.charges()));
    }

    /**
     * What the limits of a part of this request say.
     *
     * @param wanted the part's charges
     * @param outcomes what became of each in this decision, in the same order
     */
    EngineDecision part(List<RuleCharge> wanted, List<ChargeOutcome> outcomes) {
        if (wanted.isEmpty()) {
            return NO_LIMIT;
        }
        SpendOutcome part = new SpendOutcome(outcome.allowed(), outcome.degraded(), outcomes);
        return unspent(
                wanted,
                part.allowed() || !admits(wanted, part) ? part : new SpendOutcome(true, part.degraded(), outcomes));
    }

    private static EngineDecision unspent(List<RuleCharge> charges, SpendOutcome outcome) {
        return new EngineDecision(null, reason(outcome.allowed(), outcome.degraded()), charges, outcome, List.of());
    }

    private static Reason reason(boolean allowed, boolean degraded) {
        return degraded ? Reason.FAILURE : allowed ? Reason.WITHIN_LIMITS : Reason.LIMIT_EXCEEDED;
    }

    /** Whether nothing refuses of what has a say; for buckets that could not be asked {@code onFailure} answers. */
    private static boolean admits(List<RuleCharge> charges, SpendOutcome outcome) {
        for (int i = 0; i < charges.size(); i++) {
            Charge charge = charges.get(i).charge();
            ChargeOutcome made = outcome.charges().get(i);
            boolean admits = made.limits().isEmpty()
                    ? !outcome.degraded() || charge.bucket().policy().onFailure() != OnFailure.CLOSED
                    : made.admits();
            if (charge.kind().decides() && !admits) {
                return false;
            }
        }
        return true;
    }

    /** The same answer without what some charges had to do with it. */
    EngineDecision only(Predicate<Charge> wanted) {
        List<RuleCharge> keptCharges =
                charges.stream().filter(charge -> wanted.test(charge.charge())).toList();
        List<ChargeOutcome> keptOutcomes = outcome.charges().stream()
                .filter(made -> wanted.test(made.charge()))
                .toList();
        List<Spent> keptSpent =
                spent.stream().filter(part -> wanted.test(part.charge())).toList();
        SpendOutcome kept = new SpendOutcome(outcome.allowed(), outcome.degraded(), keptOutcomes);
        return new EngineDecision(ledger, reason, keptCharges, kept, keptSpent);
    }

    /** The same answer with another account of what was spent for it. */
    EngineDecision withSpent(List<Spent> account) {
        return new EngineDecision(ledger, reason, charges, outcome, List.copyOf(account));
    }

    @Override
    public boolean allowed() {
        return outcome.allowed();
    }

    @Override
    public Reason reason() {
        return reason;
    }

    @Override
    public @Nullable LimitStatus decidingLimit() {
        LimitStatus deciding = null;
        for (LimitStatus status : limits()) {
            if ((allowed() || !status.admits()) && (deciding == null || decidesBefore(allowed(), status, deciding))) {
                deciding = status;
            }
        }
        return deciding;
    }

    /**
     * Whether a limit decides rather than one that stands before it in the rules.
     *
     * @param allowed whether the request passes: the limit with the fewest tokens decides then, and otherwise the one with
     *     the longest wait, than which no wait at all is longer
     */
    static boolean decidesBefore(boolean allowed, LimitStatus status, LimitStatus earlier) {
        return allowed ? status.remaining() < earlier.remaining() : wait(status) > wait(earlier);
    }

    private static long wait(LimitStatus status) {
        long nanos = status.state().waitNanos();
        return nanos == LimitState.NEVER ? Long.MAX_VALUE : nanos;
    }

    @Override
    public List<LimitStatus> limits() {
        return statuses(Charge.Kind::decides);
    }

    @Override
    public List<LimitStatus> shadowRefusals() {
        return allowed() && charges.stream().anyMatch(charge -> charge.charge().kind() == Charge.Kind.SHADOW)
                ? statuses(kind -> kind == Charge.Kind.SHADOW).stream()
                        .filter(status -> !status.admits())
                        .toList()
                : List.of();
    }

    @Override
    public boolean mustBeSettled() {
        return allowed()
                && ledger != null
                && charges.stream().anyMatch(charge -> charge.rule().mustBeSettled());
    }

    @Override
    public Settlement settlement() {
        return settlement;
    }

    /**
     * Takes over what was charged, for a decision that this one goes on in.
     *
     * @return false if it was settled before, so that nothing is left to take over
     */
    boolean handOver() {
        return settlement instanceof ChargeSettlement charged && charged.hand();
    }

    /** Whether what was charged is still this decision's to settle. */
    boolean isOpen() {
        return settlement instanceof ChargeSettlement charged && charged.isOpen();
    }

    @Override
    public @Nullable ClientIdentifier clientOf(Rule rule) {
        for (RuleCharge charge : charges) {
            if (charge.rule().rule().name().equals(rule.name())) {
                return charge.charge().client();
            }
        }
        return null;
    }

    private List<LimitStatus> statuses(Predicate<Charge.Kind> kind) {
        List<LimitStatus> statuses = new ArrayList<>();
        for (int i = 0; i < charges.size(); i++) {
            if (kind.test(charges.get(i).charge().kind())) {
                addStatuses(charges.get(i).rule(), outcome.charges().get(i).limits(), statuses);
            }
        }
        return List.copyOf(statuses);
    }

    /** How long an allowed request that was charged ahead of time has to wait for its tokens, in nanoseconds. */
    long turnNanos() {
        long longest = 0;
        for (ChargeOutcome made : outcome.charges()) {
            if (made.charge().kind().decides()) {
                longest = Math.max(longest, made.longestWaitNanos());
            }
        }
        return longest;
    }

    List<RuleCharge> charges() {
        return charges;
    }

    SpendOutcome outcome() {
        return outcome;
    }

    private static void addStatuses(LimitedRule rule, List<LimitState> states, List<LimitStatus> statuses) {
        int known = Math.min(states.size(), rule.policies().size());
        for (int i = 0; i < known; i++) {
            statuses.add(status(rule, i, states.get(i)));
        }
    }

    /**
     * What a limit says. While hosts take over other rules one after the other, a shared bucket may answer under those of
     * another host: its numbers are then brought within the limits that this host tells its clients.
     */
    static LimitStatus status(LimitedRule rule, int index, LimitState state) {
        Limit limit = rule.bucket().limits().get(index);
        LimitState within = state.remaining() <= limit.capacity()
                ? state
                : new LimitState(limit.capacity(), state.waitNanos(), state.nextTokenNanos());
        return new LimitStatus(rule.rule(), limit, rule.policies().get(index), within);
    }

    List<Spent> spent() {
        return spent;
    }

    /**
     * What the request was charged under a rule. A request pays once under a rule: the client that it was charged for
     * stays the one, even if more is known of the client since.
     *
     * @return the last outcome, or null where the rule charged nothing
     */
    @Nullable
    ChargeOutcome outcomeFor(RuleCharge charge) {
        for (ChargeOutcome made : outcome.charges()) {
            if (sameBucket(made.charge(), charge)) {
                return made;
            }
        }
        return null;
    }

    /** The tokens that the request paid under a rule and did not get back. */
    long paidFor(RuleCharge charge) {
        return spent.stream()
                .filter(part -> sameBucket(part.charge(), charge))
                .mapToLong(Spent::tokens)
                .sum();
    }

    static boolean sameBucket(Charge made, RuleCharge charge) {
        return made.bucket().name().equals(charge.charge().bucket().name());
    }
}
