package io.ratelimit.core;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.Permits;
import io.ratelimit.RequestContext;
import io.ratelimit.TimeSource;
import io.ratelimit.core.bucket.EventualBucketStore;
import io.ratelimit.core.explain.Explanation;
import io.ratelimit.core.lease.LeasingBucketStore;
import io.ratelimit.core.lint.LintFinding;
import io.ratelimit.core.lint.RulesLint;
import io.ratelimit.core.match.ExplainedRequest;
import io.ratelimit.core.match.LimitedRule;
import io.ratelimit.core.match.RulesCache;
import io.ratelimit.core.queue.Turn;
import io.ratelimit.core.refusal.RefusalMemory;
import io.ratelimit.core.report.HostReports;
import io.ratelimit.core.retrieve.RulesStatus;
import io.ratelimit.rules.Rule;
import io.ratelimit.rules.RuleSet;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.store.BucketStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One limiter with everything that belongs to it: rules and their retrieval, buckets, the shared store, threads. Made
 * by {@link #builder()}, started once, closed once. Thread-safe.
 */
public final class RateLimitEngine implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RateLimitEngine.class);

    /** Full buckets are forgotten this often, well before a state could be mistaken for another turn of the clock. */
    private static final Duration SWEEP = Duration.ofSeconds(30);

    /** So often is the start of a shared store tried again. */
    static final long RESTART_SECONDS = 10;

    private final EngineParts parts;
    private final AtomicBoolean started = new AtomicBoolean();
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile boolean warm;

    RateLimitEngine(EngineParts parts) {
        this.parts = parts;
    }

    /**
     * Begins an engine.
     *
     * @return a builder that takes the words of init-params and flags
     */
    public static RateLimitEngineBuilder builder() {
        return new RateLimitEngineBuilder();
    }

    /**
     * Retrieves the rules, warms the store up and starts the periodic work. Takes as long as the rules source and the
     * store need, and does not fail where they do: the engine then lets requests pass or goes on alone, and says so.
     *
     * @throws IllegalStateException if the engine was started before
     */
    public void start() {
        if (!started.compareAndSet(false, true)) {
            throw new IllegalStateException("an engine is started once");
        }
        parts.retrieval().start();
        HostReports reports = parts.reports();
        if (reports != null) {
            reports.start();
        }
        EngineBuckets buckets = parts.buckets();
        parts.listener().onKeys(keys());
        repeat(SWEEP, "Full buckets could not be forgotten", this::sweep);
        RefusalMemory refusals = buckets.refusals();
        if (refusals != null) {
            repeat(SWEEP, "Refusals that are over could not be forgotten", refusals::sweep);
        }
        LeasingBucketStore leases = buckets.leases();
        if (leases != null) {
            repeat(LeasingBucketStore.LEASE.dividedBy(4), "Unused leases could not be given back", leases::sweep);
        }
        EventualBucketStore told = buckets.told();
        if (told != null) {
            repeat(parts.syncPeriod(), "Other hosts could not be told what was spent", told::flush);
            repeat(SWEEP, "What other hosts have told could not be forgotten", told::sweep);
        }
        if (buckets.shared() instanceof RestartedStore store) {
            repeat(Duration.ofSeconds(RESTART_SECONDS), "The start of the shared store failed", store::restart);
        }
        try {
            buckets.all().warmUp();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            LOG.warn("The bucket store could not be warmed up", e);
        }
        warm = true;
    }

    void sweep() {
        parts.buckets().local().sweep();
        parts.listener().onKeys(keys());
        parts.listener().onWaiting(parts.lines().waiting());
    }

    private void repeat(Duration pause, String failure, Runnable task) {
        FaultLog faults = new FaultLog(RateLimitEngine.class, parts.timeSource());
        parts.threads()
                .maintenance()
                .scheduleWithFixedDelay(
                        new RepeatedTask(failure, task, faults),
                        pause.toNanos(),
                        pause.toNanos(),
                        TimeUnit.NANOSECONDS);
    }

    /**
     * The limiter.
     *
     * @return the limiter, good from the start; before rules are there, every request passes
     */
    public TokenBucketRateLimiter limiter() {
        return parts.limiter();
    }

    /**
     * Whether a rule in force lets requests wait for their turn ({@code onExceeded: { queue: … }}).
     *
     * @return false where {@link #decideInTurn} would only decide
     */
    public boolean mayQueue() {
        return parts.rules().current().mayQueue();
    }

    /**
     * Decides a request that can wait: where nothing but rules refuse it that let requests wait, it gets a turn in their
     * lines, if there is a place and the turn does not come too late. Others who ask meanwhile are refused as by any rule
     * or wait behind it. Throws nothing.
     *
     * @param context the request
     * @return when the request goes on; whoever holds a turn that must be waited for waits for it or leaves
     */
    public Turn decideInTurn(RequestContext context) {
        return parts.limiter().decideInTurn(context, parts.lines());
    }

    /**
     * The permits of a client under a rule, for work that is no request: they take from the buckets that requests of
     * this client are charged from. The rule is looked up in the rules in force at each call, so that a reload applies
     * at once; its own limits count, without its conditions and overrides. A rule without limits lets pass at once, and
     * so does every name before there are rules; a shadow rule counts and lets pass. Where the store fails, the rule's
     * {@code onFailure} answers; who waits tries again where it refuses.
     *
     * <p>The methods of the permits throw {@link IllegalArgumentException} if no rule has the name, naming the nearest
     * one, or if the rule has a limit of {@code concurrency}. Once the engine is closed, futures that are waited for
     * answer false.
     *
     * @param rule the rule's name
     * @param client whose buckets, in the form of the rule's {@code key}; {@link ClientIdentifier#SERVICE} for
     *     {@code key: service}
     * @return the permits; they keep nothing themselves, so that they need not be kept either
     */
    public Permits permits(String rule, ClientIdentifier client) {
        return parts.permits().of(rule, client);
    }

    /**
     * The rules in force.
     *
     * @return the rules as their source gave them
     */
    public RuleSet rules() {
        return parts.rules().current().ruleSet();
    }

    /**
     * Explains what would become of a request as things stand: which rules apply to it and why, whose buckets they charge
     * and how these stand. Charges nothing, tells the listener of no decision, and throws at no request. Not for every
     * request: each rule is looked at, and a shared store is asked.
     *
     * @param context the request, such as a {@link io.ratelimit.core.explain.DescribedRequest}
     * @return the explanation, without the request's secrets
     */
    public Explanation explain(RequestContext context) {
        return new EngineExplainer(parts.buckets().all()).explain(parts.rules().current(), context);
    }

    /**
     * What the rules in force make of a request, before any bucket is asked.
     *
     * @param context the request
     * @return each rule
     */
    public ExplainedRequest explainRules(RequestContext context) {
        return parts.rules().current().explain(context);
    }

    /**
     * Why a request would pass or not whose rules somebody else has found, such as the limits of a proxy's descriptors.
     * Nothing is charged.
     *
     * @param request what the explanation calls it: escaped and short
     * @param rules what applies to it, and what does not
     * @return the explanation, as things stand
     */
    public Explanation explain(String request, ExplainedRequest rules) {
        return new EngineExplainer(parts.buckets().all()).explain(request, rules);
    }

    /**
     * What is likely a mistake in the rules in force, those of the application's code included (see {@link RulesLint}).
     * Worked out anew, which takes its time with thousands of rules.
     *
     * @return the findings; empty where nothing looks like a mistake
     */
    public List<LintFinding> lint() {
        return parts.rules().lint();
    }

    /**
     * Adds a rule that the application declares in its code (see {@link RulesCache#declare}).
     *
     * @param rule a rule that matches one operation
     * @throws IllegalArgumentException if a limit is beyond exact arithmetic
     */
    public void declare(Rule rule) {
        parts.rules().declare(rule);
    }

    /**
     * Makes the limits of a rule that stands in no rules file ready to be charged, such as one that a proxy's own
     * configuration has. The host's settings say how its store is used where the rule does not.
     *
     * @param rule the rule; its own limits count, without its conditions and overrides
     * @param service whose rules these are; buckets of other services are other ones
     * @param version when the rule was made, in milliseconds; of a bucket's states the newest version's limits count
     * @return the limits; empty where the rule has none
     * @throws IllegalArgumentException if a limit is beyond exact arithmetic, or does not go with the rule
     */
    public Optional<LimitedRule> limited(Rule rule, String service, long version) {
        return parts.rules().limited(rule, service, version);
    }

    /**
     * The document of the rules in force.
     *
     * @return the document as its source gave it; empty before there are rules
     */
    public Optional<RulesDocument> rulesDocument() {
        return parts.task().documentInForce();
    }

    /**
     * Whether this host should be sent requests.
     *
     * @return true once rules are in force and the store is warm
     */
    public boolean isReady() {
        return warm && !closed.get() && parts.task().status().ready();
    }

    /**
     * How things stand with this limiter: whether limits are kept as the rules say.
     *
     * @return up, or degraded with reasons
     */
    public Health health() {
        List<String> reasons = new ArrayList<>();
        if (closed.get()) {
            reasons.add("The limiter is closed");
        }
        RulesStatus rules = rulesStatus();
        if (!rules.ready()) {
            reasons.add("There are no rules: every request passes");
        }
        if (rules.error() != null) {
            reasons.add("The rules are not up to date: " + rules.error());
        }
        parts.failures().forEach(failures -> failures.trouble().ifPresent(reasons::add));
        BucketStore shared = parts.buckets().shared();
        if (shared != null && shared.onlyBroadcasts() && shared.hosts() == 0) {
            // No charge fails for it.
            reasons.add("This host could not join the others, who hear nothing of it: it decides from its own buckets");
        }
        return Health.of(reasons);
    }

    /**
     * How things stand with the rules.
     *
     * @return the version in force and what is wrong, if anything is
     */
    public RulesStatus rulesStatus() {
        return parts.task().status();
    }

    /**
     * How many buckets this host keeps.
     *
     * @return the number of clients and rules that have something spent here, and of those not forgotten yet
     */
    public long keys() {
        return parts.buckets().local().size();
    }

    /**
     * Where the rules come from.
     *
     * @return a file's path or a URL without credentials
     */
    public String rulesLocation() {
        return parts.rulesSource().location();
    }

    /**
     * The store that the hosts of the service share.
     *
     * @return the store, or null where this host goes alone; one that did not start at first is there once it has
     */
    public @Nullable BucketStore sharedStore() {
        BucketStore shared = parts.buckets().shared();
        return shared instanceof RestartedStore store ? store.started() : shared;
    }

    /**
     * The engine's clocks.
     *
     * @return the time source
     */
    public TimeSource timeSource() {
        return parts.timeSource();
    }

    /**
     * Stops the retrieval, the threads and the store, and waits a second at most for threads that the application holds
     * up. Decisions that still wait for the store end, and those that come later do not ask it: they are made by the last
     * rules, whose {@code onFailure} answers where a limit is shared.
     */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        HostReports reports = parts.reports();
        if (reports != null) {
            reports.close();
        }
        parts.retrieval().stop();
        parts.lines().close();
        parts.threads().endMaintenance();
        try {
            parts.buckets().all().close();
        } catch (Throwable e) {
            LOG.warn("The bucket store could not be closed", e);
        }
        parts.permits().close();
        parts.threads().end();
        parts.listener().onClose();
    }
}
