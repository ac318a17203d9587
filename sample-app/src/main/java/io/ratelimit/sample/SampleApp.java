package io.ratelimit.sample;

import io.ratelimit.core.retrieve.RulesSourceSettings;
import io.ratelimit.core.retrieve.RulesSources;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.net.URL;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.bridge.SLF4JBridgeHandler;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The sample's command line. */
@Command(
        name = "sample-app",
        description = "An orders API, limited by a rules file, on one or more nodes that share their buckets.")
public final class SampleApp implements Callable<Integer> {

    private static final String OWN_RULES = "classpath:rules.yaml";
    private static final int WRONG_USE = 2;
    private static final int LAST_PORT = 65_535;
    private static final int FIRST_MEMBER_PORT = 5701;
    private static final int FIRST_GROUP_PORT = 7800;
    private static final int MOST_NODES = 16;

    private final PrintStream out;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "HTTP port of the first node, the others count up (default: ${DEFAULT-VALUE})")
    private int port = 8080;

    @Option(
            names = "--nodes",
            paramLabel = "N",
            description = "how many nodes run in this process, 1 to " + MOST_NODES + " (default: ${DEFAULT-VALUE})")
    private int nodes = 1;

    @Option(
            names = "--rules",
            paramLabel = "FILE|URL",
            description = "where the rules come from (default: ${DEFAULT-VALUE}, in the jar); the environment's"
                    + " RATELIMIT_TOKEN is sent to a URL")
    private String rules = OWN_RULES;

    @Option(
            names = "--rules-service",
            paramLabel = "JAR",
            description =
                    "starts the rules service of this jar with the rules, and follows it: edit them in its console")
    private @Nullable Path rulesService;

    @Option(
            names = "--rules-service-port",
            paramLabel = "PORT",
            description = "the rules service's port (default: ${DEFAULT-VALUE})")
    private int rulesServicePort = 8600;

    @Option(
            names = "--member-port",
            paramLabel = "PORT",
            description = "first port for members of the cluster, counting up past ports that are taken"
                    + " (default: 5701, and 7800 with --transport)")
    private @Nullable Integer memberPort;

    @Option(
            names = "--join",
            paramLabel = "HOST:PORT",
            split = ",",
            description = "members of other processes, to make one cluster with them")
    private List<HostAndPort> join = new ArrayList<>();

    @Option(
            names = "--redis",
            paramLabel = "URI",
            description = "no cluster: the nodes share their buckets in this Redis or Valkey, such as"
                    + " redis://127.0.0.1:6379")
    private @Nullable String redis;

    @Option(
            names = "--sharing",
            paramLabel = "WAY",
            description =
                    "how rules are shared that do not say it: exact, leased, eventual or host (default: exact, and"
                            + " eventual with --transport)")
    private @Nullable String sharing;

    @Option(
            names = "--transport",
            paramLabel = "udp|tcp",
            description = "no cluster: the nodes tell one another what was spent, and those of other processes whose"
                    + " --member-port is the same")
    private @Nullable String transport;

    @Option(
            names = "--topology",
            paramLabel = "WAY",
            description = "with --transport, who tells whom: mesh, gossip or leader (default: mesh)")
    private @Nullable String topology;

    @Option(names = "--host-only", description = "no cluster: each node has buckets of its own")
    private boolean hostOnly;

    @Option(names = "--end-with-parent", hidden = true)
    private boolean endWithParent;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "shows this")
    @SuppressWarnings("UnusedVariable")
    private boolean help;

    private SampleApp(PrintStream out) {
        this.out = out;
    }

    /**
     * Runs the sample until the process is told to end.
     *
     * @param arguments the command line
     */
    public static void main(String[] arguments) {
        PrintStream out = System.out;
        // Whoever reads standard output waits for READY; nothing that a library prints may stand in between.
        System.setOut(System.err);
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
        int status = commandLine(new SampleApp(out)).execute(arguments);
        if (status != 0) {
            System.exit(status);
        }
    }

    private static CommandLine commandLine(SampleApp app) {
        CommandLine line = new CommandLine(app);
        line.registerConverter(HostAndPort.class, text -> {
            try {
                return HostAndPort.parse(text);
            } catch (IllegalArgumentException e) {
                throw new CommandLine.TypeConversionException(e.getMessage());
            }
        });
        line.setOut(new PrintWriter(app.out, true, Charset.defaultCharset()));
        line.setParameterExceptionHandler((wrong, arguments) -> complain(wrong));
        line.setExecutionExceptionHandler((failed, used, parsed) -> {
            if (failed instanceof StartException) {
                return complain(failed);
            }
            throw failed;
        });
        return line;
    }

    private static int complain(Exception wrong) {
        String message = String.valueOf(wrong.getMessage()).replaceAll("\\s*\\R\\s*", " ");
        System.err.println("sample-app: " + message + " (--help shows the flags)");
        return WRONG_USE;
    }

    @Override
    public Integer call() throws Exception {
        check();
        Nodes running = Nodes.open(port, nodes);
        Runtime.getRuntime().addShutdownHook(new ShutdownHook(running));
        if (endWithParent) {
            ParentWatch.begin();
        }
        start(running);
        return 0;
    }

    private void start(Nodes running) throws Exception {
        RulesService service = null;
        try {
            service = followedService();
            Map<String, String> settings = service == null ? rulesSettings() : service.publish(ownRules());
            running.start(withSharing(settings), sharing(), member -> print("member " + member));
        } catch (Exception e) {
            if (running.isStopping()) {
                return;
            }
            throw e;
        }
        if (!running.isStopping()) {
            if (service != null) {
                // Behind all that the nodes log while they start, where it is found.
                print(service.console());
            }
            print("READY " + running.urls());
        }
    }

    private @Nullable RulesService followedService() throws IOException {
        Path jar = rulesService;
        return jar == null || !rules.equals(OWN_RULES) ? null : RulesService.start(jar, rulesServicePort);
    }

    private Map<String, String> rulesSettings() {
        String token = System.getenv("RATELIMIT_TOKEN");
        return token == null ? Map.of("rules", rules) : Map.of("rules", rules, "rulesToken", token);
    }

    private static String ownRules() throws IOException {
        URL inTheJar = Objects.requireNonNull(SampleApp.class.getResource("/rules.yaml"), "the rules in the jar");
        try (InputStream rules = inTheJar.openStream()) {
            return new String(rules.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private Sharing sharing() {
        if (redis != null) {
            return Sharing.inRedis(redis);
        }
        if (transport != null) {
            return Sharing.inGroup(transport, topology == null ? "mesh" : topology, memberPort());
        }
        return hostOnly ? Sharing.NONE : new Membership(memberPort(), join);
    }

    private int memberPort() {
        int byDefault = transport == null ? FIRST_MEMBER_PORT : FIRST_GROUP_PORT;
        return memberPort == null ? byDefault : memberPort;
    }

    private Map<String, String> withSharing(Map<String, String> settings) {
        if (sharing == null) {
            return settings;
        }
        Map<String, String> all = new TreeMap<>(settings);
        all.put("sharing", sharing);
        return all;
    }

    private void print(String line) {
        out.println(line);
        out.flush();
    }

    private void check() {
        inRange("--nodes", nodes, 1, MOST_NODES);
        inRange("--port", port, 1, LAST_PORT + 1 - nodes);
        inRange("--rules-service-port", rulesServicePort, 1, LAST_PORT);
        if (rulesService != null && !Files.isReadable(rulesService)) {
            throw new StartException("--rules-service: " + rulesService + " cannot be read: build it first", null);
        }
        inRange("--member-port", memberPort(), 1, LAST_PORT);
        contradict("--host-only", hostOnly, "--join", !join.isEmpty());
        contradict("--redis", redis != null, "--join", !join.isEmpty());
        contradict("--host-only", hostOnly, "--redis", redis != null);
        contradict("--transport", transport != null, "--join", !join.isEmpty());
        contradict("--transport", transport != null, "--redis", redis != null);
        contradict("--transport", transport != null, "--host-only", hostOnly);
        if (topology != null && transport == null) {
            throw new StartException(
                    "--topology says who tells whom in a group: give --transport udp or tcp too", null);
        }
        try {
            RulesSources.of(rules, RulesSourceSettings.of(SampleApp.class.getClassLoader()))
                    .close();
        } catch (IllegalArgumentException e) {
            throw new StartException("--rules: " + e.getMessage(), e);
        }
    }

    private static void contradict(String flag, boolean given, String other, boolean otherGiven) {
        if (given && otherGiven) {
            throw new StartException(flag + " and " + other + " contradict each other: leave one out", null);
        }
    }

    private static void inRange(String flag, int value, int least, int most) {
        if (value < least || value > most) {
            throw new StartException(flag + " is " + value + ": it must be from " + least + " to " + most, null);
        }
    }
}
