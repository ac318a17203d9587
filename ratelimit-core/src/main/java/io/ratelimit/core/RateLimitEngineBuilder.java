package io.ratelimit.core;

import io.ratelimit.AttributeResolver;
import io.ratelimit.CostResolver;
import io.ratelimit.IdentityVerifier;
import io.ratelimit.RateLimitListener;
import io.ratelimit.TimeSource;
import io.ratelimit.core.bucket.FailureLog;
import io.ratelimit.core.bucket.LocalBucketStore;
import io.ratelimit.core.extension.Extensions;
import io.ratelimit.core.extension.Providers;
import io.ratelimit.core.match.RulesCache;
import io.ratelimit.core.permits.RulePermits;
import io.ratelimit.core.queue.WaitingLines;
import io.ratelimit.core.report.RequestRecorder;
import io.ratelimit.core.retrieve.HostName;
import io.ratelimit.core.retrieve.LastGoodFile;
import io.ratelimit.core.retrieve.PollSchedule;
import io.ratelimit.core.retrieve.ReportReceiver;
import io.ratelimit.core.retrieve.RetrieveJobScheduler;
import io.ratelimit.core.retrieve.RetrieveRulesTask;
import io.ratelimit.core.retrieve.RulesSourceSettings;
import io.ratelimit.core.retrieve.RulesSources;
import io.ratelimit.core.rules.RulesParser;
import io.ratelimit.core.watch.FailureRecording;
import io.ratelimit.core.watch.Refusals;
import io.ratelimit.rules.RulesSource;
import io.ratelimit.store.BucketStore;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Puts an engine together from settings that are texts, under the same names as the init-params of the servlet filter.
 * Not thread-safe.
 */
public final class RateLimitEngineBuilder {

    private static final Pattern HTTP = Pattern.compile("\\s*https?:", Pattern.CASE_INSENSITIVE);

    private final Map<String, String> settings = new LinkedHashMap<>();
    private final List<RateLimitListener> listeners = new ArrayList<>();
    private TimeSource timeSource = TimeSource.system();
    private @Nullable ClassLoader classLoader = Thread.currentThread().getContextClassLoader();
    private @Nullable BucketStore store;
    private @Nullable RulesSource source;
    private Extensions extensions = Extensions.none();

    RateLimitEngineBuilder() {}

    /**
     * Gives one setting.
     *
     * @param name the setting's name, such as {@code rules} or {@code cluster}
     * @param value its value
     * @return this builder
     */
    public RateLimitEngineBuilder setting(String name, String value) {
        settings.put(name, value);
        return this;
    }

    /**
     * Gives several settings.
     *
     * @param values values by name
     * @return this builder
     */
    public RateLimitEngineBuilder settings(Map<String, String> values) {
        settings.putAll(values);
        return this;
    }

    /**
     * Says where the rules come from.
     *
     * @param location {@code classpath:NAME}, a file's path, or an HTTP URL; {@code classpath:ratelimit.yaml} by default
     * @return this builder
     */
    public RateLimitEngineBuilder rules(String location) {
        return setting("rules", location);
    }

    /**
     * Hands in a source of rules of the application's own, in place of {@link #rules(String)}. Where its location is an
     * HTTP URL, the last good rules are kept as those of such a URL are.
     *
     * @param rulesSource the source; closed with the engine
     * @return this builder
     */
    public RateLimitEngineBuilder rules(RulesSource rulesSource) {
        this.source = rulesSource;
        return this;
    }

    /**
     * Hands in a shared store, in place of one by settings.
     *
     * @param sharedStore the store; closed with the engine
     * @return this builder
     */
    public RateLimitEngineBuilder store(BucketStore sharedStore) {
        this.store = sharedStore;
        return this;
    }

    /**
     * Hands in clocks.
     *
     * @param clocks the clocks, those of the machine by default
     * @return this builder
     */
    public RateLimitEngineBuilder timeSource(TimeSource clocks) {
        this.timeSource = clocks;
        return this;
    }

    /**
     * Adds a listener, beside those before it, those on the class path and the one that the setting {@code metrics}
     * asks for.
     *
     * @param hearing hears decisions, reloads and failures, such as a
     *     {@link io.ratelimit.core.metrics.MicrometerListener}; what one throws does not keep the others from hearing
     * @return this builder
     */
    public RateLimitEngineBuilder listener(RateLimitListener hearing) {
        listeners.add(Objects.requireNonNull(hearing));
        return this;
    }

    /**
     * Adds a resolver of attributes, to be asked after those before it and before those on the class path.
     *
     * @param resolver finds attributes that requests do not carry themselves
     * @return this builder
     */
    public RateLimitEngineBuilder attributes(AttributeResolver resolver) {
        extensions = extensions.with(resolver);
        return this;
    }

    /**
     * Adds a resolver of costs. It stands in place of one of the same name on the class path.
     *
     * @param resolver works out costs, such as a {@link QueryParameterCost}
     * @return this builder
     * @throws IllegalArgumentException if another one was given its name, or the name is none that rules files can say
     */
    public RateLimitEngineBuilder costs(CostResolver resolver) {
        extensions = extensions.with(resolver);
        return this;
    }

    /**
     * Adds a verifier of identities, beside those on the class path.
     *
     * @param verifier says which claimed identities are real
     * @return this builder
     */
    public RateLimitEngineBuilder identities(IdentityVerifier verifier) {
        extensions = extensions.with(verifier);
        return this;
    }

    /**
     * Says where {@code classpath:} rules, store factories and extensions are looked for.
     *
     * @param loader the class loader, the thread's context class loader by default
     * @return this builder
     */
    public RateLimitEngineBuilder classLoader(ClassLoader loader) {
        this.classLoader = loader;
        return this;
    }

    /**
     * The settings that {@link #build()} understands with the stores on the class path.
     *
     * @return the names, sorted
     */
    public Set<String> settingNames() {
        Set<String> names = EngineSettings.names();
        names.addAll(new StoreFactories(classLoader).settingNames());
        return names;
    }

    /**
     * Puts the engine together and connects to the shared store, if settings ask for one. A store that cannot be
     * started is reported, and the rules' {@code onFailure} answers until a later start succeeds.
     *
     * @return the engine, not started yet
     * @throws IllegalArgumentException if a setting is unknown or has no valid value; the message names it and says
     *     what would be right
     */
    public RateLimitEngine build() {
        StoreFactories factories = new StoreFactories(classLoader);
        new SettingNames(settingNames()).check(settings.keySet());
        EngineSettings engine = EngineSettings.parse(settings);
        RulesSource rulesSource = source == null ? source(engine) : source;
        PollSchedule schedule = schedule(engine, rulesSource);
        LastGoodFile lastGood = lastGood(engine, rulesSource);
        Providers providers = new Providers(classLoader);
        Extensions found = extensions.withFound(providers);
        List<RateLimitListener> decisionListeners = decisionListeners(engine, providers);
        boolean hasListener = !decisionListeners.isEmpty();
        Reporting reporting = new Reporting(
                ReportReceiver.of(rulesSource).orElse(null),
                engine.reports(),
                settings.get("clusterSecret"),
                timeSource);
        decisionListeners.addAll(reporting.listeners());
        RateLimitListener hearing = new Listeners(withRecording(decisionListeners));
        FailureLog tableFailures = new FailureLog("The table of clients", timeSource, hearing);
        FailureLog storeFailures = new FailureLog("The shared store", timeSource, hearing);
        LocalBucketStore local = new LocalBucketStore(timeSource, engine.maxClients(), tableFailures);
        FailureLog untold = new FailureLog("The store of eventual limits", "each host goes alone", timeSource, hearing);
        EngineThreads threads = new EngineThreads();
        // After all that could fail: it has threads and ports to close.
        BucketStore shared = sharedStore(factories, engine, hearing);
        EngineBuckets buckets = shared == null
                ? EngineBuckets.alone(local)
                : EngineBuckets.sharing(
                                local,
                                hasListener ? new TimedBucketStore(shared, hearing, timeSource) : shared,
                                threads.timer(),
                                storeFailures,
                                untold,
                                engine.syncPeriod(),
                                timeSource)
                        .withShared(shared);
        SharingWays ways = new SharingWays(shared != null && shared.onlyBroadcasts(), engine.store());
        RulesCache rules = new RulesCache(ways.defaults(), hearing, buckets.direct(), found);
        RetrieveRulesTask task = new RetrieveRulesTask(
                rulesSource, new RulesParser()::parse, ways.watched(rules::replace), lastGood, hearing, timeSource);
        RequestRecorder recorder = reporting.recorder(rules);
        return new RateLimitEngine(new EngineParts(
                timeSource,
                rulesSource,
                rules,
                task,
                new RetrieveJobScheduler(task, schedule, new SplittableRandom()),
                reporting.reports(task, rules, recorder),
                threads,
                buckets,
                engine.syncPeriod(),
                List.of(tableFailures, storeFailures, untold),
                hearing,
                new TokenBucketRateLimiter(
                        rules,
                        buckets.all(),
                        new DecisionWatch(
                                hearing,
                                hasListener ? () -> true : reporting::isWanted,
                                hasListener ? DecisionTimer.sampling(hearing, timeSource) : DecisionTimer.never(),
                                Refusals.watched(engine.logRefusals(), threads.timer()),
                                recorder),
                        new FaultLog(TokenBucketRateLimiter.class, timeSource),
                        threads.answers()),
                new RulePermits(rules, buckets.all(), hearing, timeSource, threads.timer()),
                lines(threads, hearing)));
    }

    private WaitingLines lines(EngineThreads threads, RateLimitListener hearing) {
        FaultLog faults = new FaultLog(RateLimitEngine.class, timeSource);
        return new WaitingLines(
                timeSource,
                threads.timer(),
                hearing::onWaiting,
                e -> faults.report("A request that has waited for its turn could not go on", e));
    }

    private @Nullable BucketStore sharedStore(
            StoreFactories factories, EngineSettings engine, RateLimitListener hearing) {
        if (store != null) {
            return store;
        }
        try {
            return factories.create(settings, engine.store(), timeSource, hearing);
        } catch (Throwable e) {
            // There will be no engine that lets its meters go when it is closed.
            hearing.onClose();
            throw e;
        }
    }

    private List<RateLimitListener> decisionListeners(EngineSettings engine, Providers providers) {
        List<RateLimitListener> all = new ArrayList<>(listeners);
        all.addAll(providers.find(RateLimitListener.class, "A listener"));
        MetricsSetting metrics = engine.metrics();
        if (metrics != null) {
            all.add(metrics.listener());
        }
        return all;
    }

    /** The recording wants no decisions, which are cheapest where nobody hears of them. */
    private static List<RateLimitListener> withRecording(List<RateLimitListener> listeners) {
        List<RateLimitListener> all = new ArrayList<>(listeners);
        all.add(new FailureRecording());
        return all;
    }

    private static PollSchedule schedule(EngineSettings engine, RulesSource rulesSource) {
        Duration interval = engine.pollInterval();
        if (interval == null) {
            return PollSchedule.defaultFor(rulesSource);
        }
        try {
            return PollSchedule.of(rulesSource, interval);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("setting pollInterval: " + e.getMessage(), e);
        }
    }

    private RulesSource source(EngineSettings engine) {
        RulesSourceSettings sourceSettings = RulesSourceSettings.of(classLoader)
                .withBearerToken(engine.rulesToken())
                .withPush(engine.push())
                .withTime(timeSource);
        HostName host = engine.hostName();
        if (host != null) {
            sourceSettings = sourceSettings.withHost(host);
        }
        return RulesSources.of(engine.rules(), sourceSettings);
    }

    /** Only what comes over the network can be missing at the next start while the last good rules are still right. */
    private @Nullable LastGoodFile lastGood(EngineSettings engine, RulesSource rulesSource) {
        String file = engine.lastGoodFile();
        if (file != null) {
            try {
                return LastGoodFile.at(Path.of(file));
            } catch (InvalidPathException e) {
                throw new IllegalArgumentException(
                        "setting lastGoodFile is '" + file + "': it must be the path of a file", e);
            }
        }
        return HTTP.matcher(source == null ? engine.rules() : source.location()).lookingAt()
                ? LastGoodFile.inTemporaryDirectory(rulesSource.location())
                : null;
    }
}
