package io.ratelimit.server.daemon;

import io.ratelimit.RateLimitListener;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.RateLimitEngineBuilder;
import io.ratelimit.core.http.HttpAnswers;
import io.ratelimit.core.thread.DaemonThreads;
import io.ratelimit.server.document.FixedRules;
import io.ratelimit.server.envoy.EnvoyPort;
import io.ratelimit.server.envoy.EnvoySettings;
import io.ratelimit.server.meters.ProcessMeters;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The daemon, running: one engine, and the ports that callers ask it at. */
public final class Daemon implements AutoCloseable {

    /** Bodies under way may take this part of the heap. */
    private static final int BODIES_OF_HEAP = 8;

    /** Of a daemon that only descriptor files limit. */
    private static final FixedRules NO_RULES =
            FixedRules.of("no file (descriptors alone limit here)", "service: descriptors-alone\nrules: []\n");

    private static final long EXPIRING_MILLIS = 500;
    private static final Duration TOKENS_EVERY = Duration.ofSeconds(5);

    /** So long a step of the start, such as joining a cluster, may take to hear that it is broken off. */
    private static final long BREAKING_OFF_MILLIS = 3_000;

    private final RateLimitEngine engine;
    private final DaemonServer server;
    private final Receipts receipts;
    private final ProcessMeters meters;
    private final ScheduledExecutorService thread;
    private final OperatorEndpoints operators;
    private final Start start = new Start();
    private volatile @Nullable EnvoyPort envoy;
    private volatile boolean leaving;
    private boolean closed;

    private Daemon(
            RateLimitEngine engine,
            DaemonServer server,
            Receipts receipts,
            ProcessMeters meters,
            ScheduledExecutorService thread) {
        this.engine = engine;
        this.server = server;
        this.receipts = receipts;
        this.meters = meters;
        this.thread = thread;
        this.operators = new OperatorEndpoints(engine, meters, () -> Optional.ofNullable(envoy));
    }

    /**
     * Starts the daemon. Meanwhile it answers at its port that it lives and is not ready, and all else with 503. It
     * decides once its engine has tried to retrieve rules and to join the others; without rules, it is not ready and every
     * request passes.
     *
     * @param settings what it is started with
     * @param begun gets the daemon before it takes its port; whoever closes it from another thread breaks the start off
     * @return the daemon, which answers, or is {@linkplain #isLeaving() leaving} where it was closed meanwhile
     * @throws IllegalArgumentException if a setting is not valid; the message says what would be right
     * @throws io.ratelimit.server.listen.ServerStartException if it cannot listen
     */
    public static Daemon start(DaemonSettings settings, Consumer<Daemon> begun) {
        return start(settings, TOKENS_EVERY, begun);
    }

    /** Starts the daemon, which looks at its token files so often. */
    static Daemon start(DaemonSettings settings, Duration tokensEvery, Consumer<Daemon> begun) {
        Tokens callers = tokens(settings.tokens().callers());
        Tokens operators = tokens(settings.tokens().operators());
        Doorkeeper doorkeeper = new Doorkeeper(callers, operators);
        DaemonServer server = DaemonServer.prepare(settings);
        ProcessMeters meters = new ProcessMeters();
        DaemonMeters counted = new DaemonMeters(meters);
        RateLimitEngine engine;
        try {
            engine = engine(settings, counted.listener());
        } catch (RuntimeException e) {
            server.close();
            meters.close();
            throw e;
        }
        ScheduledExecutorService thread =
                Executors.newSingleThreadScheduledExecutor(new DaemonThreads("daemon-periodic"));
        Daemon daemon = new Daemon(engine, server, new Receipts(settings.settleWithin()), meters, thread);
        HttpAnswers answers = new HttpAnswers(settings.headers(), engine.timeSource());
        FrontDoor door = new FrontDoor(daemon.whileStarting(), doorkeeper, counted);
        begun.accept(daemon);
        try {
            daemon.start.run(
                    () -> server.serve(door),
                    engine::start,
                    () -> daemon.openTo(settings.envoy(), answers, doorkeeper),
                    () -> daemon.decide(door, answers),
                    server::serveAtSocket,
                    () -> daemon.repeat(tokensEvery.toMillis(), callers, operators));
        } catch (RuntimeException e) {
            daemon.close();
            throw e;
        }
        return daemon;
    }

    private void decide(FrontDoor door, HttpAnswers answers) {
        Routes routes = routes(answers);
        new WarmUp(answers).run(routes, other -> decisions(new Routes(), other, answers), envoy != null);
        door.open(routes);
    }

    private static RateLimitEngine engine(DaemonSettings settings, RateLimitListener listener) {
        RateLimitEngineBuilder engine =
                RateLimitEngine.builder().settings(settings.engine()).listener(listener);
        if (!settings.engine().containsKey("rules")) {
            engine.rules(NO_RULES);
        }
        return engine.build();
    }

    private void openTo(@Nullable EnvoySettings envoys, HttpAnswers answers, Doorkeeper doorkeeper) {
        if (envoys != null) {
            envoy = EnvoyPort.start(
                    envoys,
                    engine,
                    answers,
                    doorkeeper.isOpenTo(Access.CALLER) ? null : token -> doorkeeper.admits(token, Access.CALLER),
                    meters.registry());
        }
    }

    private static @Nullable Tokens tokens(@Nullable Path file) {
        return file == null ? null : Tokens.in(file);
    }

    private void repeat(long tokensMillis, @Nullable Tokens... tokens) {
        thread.scheduleWithFixedDelay(receipts::expire, EXPIRING_MILLIS, EXPIRING_MILLIS, TimeUnit.MILLISECONDS);
        for (Tokens file : tokens) {
            if (file != null) {
                thread.scheduleWithFixedDelay(file::reload, tokensMillis, tokensMillis, TimeUnit.MILLISECONDS);
            }
        }
        meters.gauge("ratelimit.daemon.receipts", "Charges that callers may still settle", receipts::count);
    }

    private Routes routes(HttpAnswers answers) {
        Routes life = lifeOf(() -> isReady() ? state(200, "ready") : state(503, leaving ? "leaving" : "not ready"));
        return decisions(life, engine, answers)
                .get("/v1/rules", Access.CALLER, new RulesEndpoint(engine))
                .get("/v1/status", Access.OPERATOR, operators::status)
                .get("/v1/explain", Access.OPERATOR, operators::explain)
                .get("/metrics", Access.OPERATOR, operators::metrics);
    }

    private Routes decisions(Routes others, RateLimitEngine by, HttpAnswers answers) {
        Json json = new Json();
        Bodies bodies = new Bodies(Runtime.getRuntime().maxMemory() / BODIES_OF_HEAP);
        return others.post(
                        "/v1/decide",
                        Access.CALLER,
                        new DecideEndpoint(by.limiter(), receipts, bodies, json, new DecisionJson(answers)))
                .post("/v1/settle", Access.CALLER, new SettleEndpoint(receipts, bodies, json))
                .any("/v1/auth", Access.CALLER, new AuthEndpoint(by.limiter(), answers));
    }

    /** Whoever decides whether the process lives must not wait for a cluster; who asks for decisions need not either. */
    private Routes whileStarting() {
        return lifeOf(() -> state(503, "starting"))
                .elsewhere(Answer.problem(503, "the daemon is starting; come back in a second")
                        .with("Retry-After", "1"));
    }

    private static Routes lifeOf(Supplier<Answer> readiness) {
        return new Routes()
                .get("/health", Access.ANYBODY, request -> CompletableFuture.completedFuture(state(200, "up")))
                .get("/ready", Access.ANYBODY, request -> CompletableFuture.completedFuture(readiness.get()));
    }

    /**
     * Whether requests are decided by rules.
     *
     * @return false before there are rules, while every request passes, and once the daemon is being closed
     */
    public boolean isReady() {
        return !leaving && engine.isReady();
    }

    private static Answer state(int status, String word) {
        byte[] body = ("{\"status\":\"" + word + "\"}").getBytes(StandardCharsets.UTF_8);
        return new Answer(status, "application/json", body);
    }

    /**
     * Where the daemon answers over HTTP.
     *
     * @return its URL without a path
     */
    public URI uri() {
        return server.uri();
    }

    /**
     * Where the daemon answers Envoys.
     *
     * @return the port, or empty where it does not
     */
    public OptionalInt grpcPort() {
        EnvoyPort port = envoy;
        return port == null ? OptionalInt.empty() : OptionalInt.of(port.port());
    }

    /**
     * The limiter's engine.
     *
     * @return the engine, which is closed with the daemon
     */
    RateLimitEngine engine() {
        return engine;
    }

    /**
     * Whether the daemon was told to end.
     *
     * @return true once it is being closed
     */
    public boolean isLeaving() {
        return leaving;
    }

    /**
     * Breaks off a start that is under way, answers what is under way at all ports, within three seconds, and leaves the
     * others that share the buckets. Once it was closed, it stays so.
     */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        leaving = true;
        start.breakOff();
        EnvoyPort port = envoy;
        CompletableFuture<Void> envoys = CompletableFuture.runAsync(() -> close(port));
        server.close();
        envoys.exceptionally(failure -> null).join();
        start.awaitEnd(BREAKING_OFF_MILLIS);
        if (port == null) {
            // The last step may have opened it.
            close(envoy);
        }
        operators.close();
        receipts.close();
        thread.shutdownNow();
        engine.close();
        meters.close();
    }

    private static void close(@Nullable EnvoyPort port) {
        if (port != null) {
            port.close();
        }
    }
}
