package io.ratelimit.server.command;

import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.SettingNames;
import io.ratelimit.core.http.HttpSettings;
import io.ratelimit.core.rules.DurationGrammar;
import io.ratelimit.server.daemon.Daemon;
import io.ratelimit.server.daemon.DaemonSettings;
import io.ratelimit.server.daemon.DaemonSettings.TokenFiles;
import io.ratelimit.server.envoy.EnvoySettings;
import io.ratelimit.server.envoy.descriptor.DescriptorsParser;
import io.ratelimit.server.listen.Listening;
import io.ratelimit.server.listen.ServerStartException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs the daemon until the process is told to end. */
@Command(
        name = "daemon",
        description = "Runs the limiter as a process of its own, which services in any language ask.",
        footer = {
            "",
            "Secrets come from the environment: RATELIMIT_TLS_PASSWORD, RATELIMIT_RULES_TOKEN (of a rules service), and"
                    + " RATELIMIT_CLUSTER_SECRET (what all members of a cluster are configured with)."
        })
final class DaemonCommand implements Callable<Integer> {

    private static final int DEFAULT_GRPC_PORT = 8081;
    private static final String NOT_READY = " (not ready: there are no rules, and every request passes)";

    private final Terminal terminal;
    private final Map<String, String> environment;

    @Option(
            names = "--unix-socket",
            paramLabel = "PATH",
            description = "answers at this Unix domain socket too; who may open the file may ask, without a token")
    private @Nullable Path unixSocket;

    @Option(
            names = "--rules",
            paramLabel = "PLACE",
            description = "where the rules are: a file, or the URL of a rules service")
    private @Nullable String rules;

    @Option(
            names = "--descriptors",
            paramLabel = "PLACE",
            description =
                    "a descriptor file of Envoy's rate limit service, or a directory of them; answers Envoys by gRPC")
    private @Nullable Path descriptors;

    @Option(
            names = "--grpc-port",
            paramLabel = "PORT",
            description = "answers Envoys by gRPC at this port (default: 8081 where there are descriptors, else none)")
    private @Nullable Integer grpcPort;

    @Option(
            names = "--charge-every-descriptor",
            description = "charges the descriptors of an Envoy's request that pass although another one refuses")
    private boolean chargeEveryDescriptor;

    @Option(names = "--cluster", paramLabel = "NAME", description = "shares buckets with the members of this cluster")
    private @Nullable String cluster;

    @Option(
            names = "--join",
            paramLabel = "HOST:PORT",
            split = ",",
            description = "members of the cluster to find the others by, such as 10.0.0.5:5701")
    private List<String> join = new ArrayList<>();

    @Option(
            names = "--set",
            paramLabel = "NAME=VALUE",
            description = "any other setting, by the names of the servlet filter's init-params, such as sharing=leased")
    private Map<String, String> others = new LinkedHashMap<>();

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "the tokens of those who may ask for decisions, one in a line; read again when it changes")
    private @Nullable Path tokenFile;

    @Option(
            names = "--operator-token-file",
            paramLabel = "FILE",
            description = "the tokens of those who may also see status, explanations and meters")
    private @Nullable Path operatorTokenFile;

    @Option(names = "--without-tokens", description = "lets anybody ask who reaches the port, also from other machines")
    private boolean withoutTokens;

    @Option(
            names = "--settle-within",
            paramLabel = "DURATION",
            description = "charges stand that nobody settles within this time (default: ${DEFAULT-VALUE})")
    private String settleWithin = "60s";

    @Mixin
    private final ListenFlags listen;

    @Mixin
    private final LifeFlag life;

    /** Makes the command, with the process's environment, which has the secrets. */
    DaemonCommand(Terminal terminal, Map<String, String> environment) {
        this.terminal = terminal;
        this.environment = environment;
        this.listen = new ListenFlags(8601, environment);
        this.life = new LifeFlag(terminal);
    }

    @Override
    public Integer call() {
        Logging.ofDaemon();
        Daemon daemon = start();
        if (daemon.isLeaving()) {
            // The process ends already.
            return 0;
        }
        daemon.grpcPort().ifPresent(port -> terminal.out().println("GRPC " + listen.host() + ":" + port));
        terminal.out().println(daemon.isReady() ? "READY " + daemon.uri() : "LISTENING " + daemon.uri() + NOT_READY);
        terminal.out().flush();
        life.await();
        return 0;
    }

    private Daemon start() {
        try {
            return Daemon.start(
                    settings(), begun -> Runtime.getRuntime().addShutdownHook(new Thread(begun::close, "shutdown")));
        } catch (IllegalArgumentException | ServerStartException e) {
            throw new CommandException(String.valueOf(e.getMessage()), e);
        }
    }

    private DaemonSettings settings() {
        return new DaemonSettings(
                listen.listening(),
                unixSocket,
                envoy(),
                new TokenFiles(tokenFile, operatorTokenFile, withoutTokens),
                engine(),
                HttpSettings.parse(others),
                settleWithin());
    }

    private Duration settleWithin() {
        try {
            return new DurationGrammar().parse(settleWithin);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--settle-within: " + e.getMessage(), e);
        }
    }

    private @Nullable EnvoySettings envoy() {
        if (rules == null && descriptors == null && !others.containsKey("rules")) {
            throw new IllegalArgumentException(
                    "there is nothing to decide by: name --rules (a rules file such as --rules rules.yaml, or the URL of a"
                            + " rules service), or --descriptors (Envoy's descriptor files), or both; check FILE says"
                            + " whether a rules file is right");
        }
        if (grpcPort == null && descriptors == null) {
            if (chargeEveryDescriptor) {
                throw new IllegalArgumentException(
                        "--charge-every-descriptor is for requests of Envoy, and this daemon answers none: name --descriptors"
                                + " or --grpc-port as well, or leave it out");
            }
            return null;
        }
        Listening place = listen.listening(grpcPort == null ? DEFAULT_GRPC_PORT : grpcPort, "--grpc-port");
        return new EnvoySettings(place, descriptors, chargeEveryDescriptor);
    }

    private Map<String, String> engine() {
        Set<String> known = new TreeSet<>(RateLimitEngine.builder().settingNames());
        known.addAll(HttpSettings.NAMES);
        new SettingNames(known).check(others.keySet());
        Map<String, String> settings = new LinkedHashMap<>(others);
        HttpSettings.NAMES.forEach(settings::remove);
        add(settings, "rules", "--rules", rules);
        refuseDescriptors(settings.get("rules"));
        add(settings, "cluster", "--cluster", cluster);
        add(settings, "members", "--join", join.isEmpty() ? null : String.join(",", join));
        secret(settings, "rulesToken", "RATELIMIT_RULES_TOKEN");
        secret(settings, "clusterSecret", "RATELIMIT_CLUSTER_SECRET");
        return settings;
    }

    /** Wrong rules may be mended while the daemon runs, but descriptors in their place are a wrong flag. */
    private static void refuseDescriptors(@Nullable String place) {
        if (place != null
                && Files.isRegularFile(Path.of(place))
                && DescriptorsParser.isMeant(new RulesPlace.RulesFile(place).read())) {
            throw new IllegalArgumentException("--rules: " + place
                    + " has descriptors of Envoy's rate limit service, and no rules; name it with --descriptors");
        }
    }

    private void secret(Map<String, String> settings, String name, String variable) {
        add(settings, name, variable, environment.get(variable));
    }

    private static void add(Map<String, String> settings, String name, String origin, @Nullable String value) {
        if (value != null && settings.put(name, value) != null) {
            throw new IllegalArgumentException(
                    "setting " + name + " is given twice, by " + origin + " and by --set: leave one of them out");
        }
    }
}
