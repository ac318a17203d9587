package io.ratelimit.sample;

import static io.ratelimit.sample.Caller.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.core.Appender;
import com.fasterxml.jackson.core.JsonFactory;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import com.google.common.util.concurrent.internal.InternalFutureFailureAccess;
import com.hazelcast.core.HazelcastInstance;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.unix.UnixChannel;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.dns.DnsRecord;
import io.netty.handler.ssl.SslHandler;
import io.netty.resolver.AddressResolver;
import io.netty.resolver.dns.DnsNameResolver;
import io.netty.util.concurrent.EventExecutor;
import io.ratelimit.RateLimiter;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.hazelcast.HazelcastBucketStore;
import io.ratelimit.jgroups.JGroupsBucketStoreFactory;
import io.ratelimit.redis.RedisBucketStore;
import io.ratelimit.redis.RedisProcess;
import io.ratelimit.sample.Load.Sample;
import io.ratelimit.servlet.RateLimitFilter;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleState;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.startup.ContextConfig;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.scan.StandardJarScanner;
import org.jgroups.JChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.snakeyaml.engine.v2.api.LoadSettings;
import reactor.core.publisher.Mono;
import redis.clients.authentication.core.TokenManager;

/** Applications of one Tomcat, each with the limiter, the store and what they stand on in its own {@code WEB-INF}. */
@Tag("cluster")
class RedeployedWarIT {

    private static final int CYCLES = 10;
    private static final int LIMIT = 10;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** One class of each jar that travels in each WAR. */
    private static final List<Class<?>> LIBRARIES = List.of(
            RateLimiter.class,
            RateLimitEngine.class,
            RateLimitFilter.class,
            ImmutableList.class,
            InternalFutureFailureAccess.class,
            LoadSettings.class,
            JsonFactory.class,
            Logger.class,
            ch.qos.logback.classic.Logger.class,
            Appender.class);

    private static final List<Class<?>> HAZELCAST = List.of(HazelcastBucketStore.class, HazelcastInstance.class);

    private static final List<Class<?>> REDIS = List.of(
            RedisBucketStore.class,
            RedisClient.class,
            TokenManager.class,
            Mono.class,
            Publisher.class,
            EventExecutor.class,
            ByteBuf.class,
            Channel.class,
            SslHandler.class,
            ByteToMessageDecoder.class,
            AddressResolver.class,
            DnsNameResolver.class,
            DnsRecord.class,
            UnixChannel.class);

    private static final List<Class<?>> JGROUPS = List.of(JGroupsBucketStoreFactory.class, JChannel.class);

    private final Caller caller = new Caller();
    private final Tomcat tomcat = new Tomcat();
    private final int memberPort = FreePorts.consecutive(2);

    @TempDir
    private Path directory;

    private Warnings warnings;
    private String url;

    @BeforeEach
    void start() throws Exception {
        int port = FreePorts.consecutive(1);
        warnings = Warnings.collect();
        tomcat.setBaseDir(directory.resolve("tomcat").toString());
        tomcat.setPort(port);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        tomcat.setAddDefaultWebXmlToWebapp(false);
        tomcat.getHost();
        // Its thread takes on an application's class loader for a moment, and would then be called the application's.
        tomcat.getEngine().setBackgroundProcessorDelay(-1);
        tomcat.start();
        url = "http://127.0.0.1:" + port;
    }

    @AfterEach
    void stop() throws Exception {
        tomcat.stop();
        tomcat.destroy();
        warnings.close();
    }

    @Test
    void tenDeploymentsAndUndeploymentsLeaveNothingBehind() throws Exception {
        record Other(String text) {}
        War war = war("one", "hello", LIMIT + "/h");
        tenTimes("hazelcast", () -> deployServeAndUndeploy(war), Other::new);
    }

    @Test
    void tenDeploymentsAndUndeploymentsWithRedisLeaveNothingBehind() throws Exception {
        record Other(String text) {}
        try (RedisProcess redis = RedisProcess.start62()) {
            War war = war("one", "hello", LIMIT + "/h", REDIS, Map.of("redis", redis.uri()));
            Cycle cycle = () -> {
                deployServeAndUndeploy(war);
                redis.on(RedisCommands::flushall);
            };
            tenTimes("redis", cycle, Other::new);
        }
    }

    @Test
    void tenDeploymentsAndUndeploymentsWithAGroupLeaveNothingBehind() throws Exception {
        record Other(String text) {}
        Map<String, String> settings = Map.of(
                "transport", "udp",
                "topology", "gossip",
                "memberPort", Integer.toString(memberPort),
                "clusterSecret", "known to all");
        War war = war("one", "hello", LIMIT + "/h", JGROUPS, settings);
        tenTimes("group", () -> deployServeAndUndeploy(war), Other::new);
    }

    @Test
    void tenDeploymentsAndUndeploymentsWithRequestsInLineLeaveNothingBehind() throws Exception {
        record Other(String text) {}
        String limit = "[10/m burst 1], onExceeded: { queue: 5, maxWait: 5m, status: 503 }";
        War war = war("one", "hello", limit, List.of(), Map.of());
        tenTimes("queue", () -> deployQueueAndUndeploy(war), Other::new);
    }

    /** Requests are in line when their application ends. */
    private void deployQueueAndUndeploy(War war) {
        StandardContext application = deploy("/one", war);
        assertThat(passed("/one", 1)).isEqualTo(1);
        List<CompletableFuture<Integer>> waiting = IntStream.range(0, 3)
                .mapToObj(i -> CompletableFuture.supplyAsync(
                        () -> caller.get(url + "/one/hello", key("client")).status()))
                .toList();
        await().until(() -> application.getInProgressAsyncCount() == 3);
        tomcat.getHost().removeChild(application);
        assertThat(waiting)
                .allSatisfy(
                        answer -> assertThat(answer.get(5, TimeUnit.SECONDS)).isEqualTo(503));
    }

    /** From the deployment of an application to its end. */
    private interface Cycle {
        void run() throws IOException;
    }

    private void tenTimes(String what, Cycle deployment, Function<String, Record> newRecord) throws IOException {
        long before = 0;
        for (int cycle = 0; cycle < CYCLES; cycle++) {
            before = cycle == 2 ? loadedClasses() : before;
            deployment.run();
        }
        long classes = before;
        // Of one application that stayed there would be thousands; what has an end to be told goes with the second
        // collection.
        await().atMost(PATIENCE).until(() -> loadedClasses() - classes < 200);
        new Figures("redeployed-war-" + what)
                .add("%d classes were loaded after the second cycle, %d more after the tenth"
                        .formatted(classes, loadedClasses() - classes));
        compareARecord(newRecord);
        awaitThatNoApplicationIsLeft();
        assertThat(warnings.lines()).isEmpty();
    }

    /** By itself, so that nothing here refers to the application when it is looked for. */
    private void deployServeAndUndeploy(War war) throws IOException {
        Context application = deploy("/one", war);
        assertThat(passed("/one", 2 * LIMIT)).isEqualTo(LIMIT);
        tomcat.getHost().removeChild(application);
        assertThatThePortIsFree(memberPort);
    }

    /**
     * The JDK keeps the type of the record that was compared for the first time last, and with it all classes of its
     * application, though it has ended. So this must be of a type that was never compared before.
     */
    private static void compareARecord(Function<String, Record> newRecord) {
        Record one = newRecord.apply("a");
        assertThat(one).isNotEqualTo(newRecord.apply("b")).hasSameHashCodeAs(newRecord.apply("a"));
        assertThat(one).hasToString("Other[text=a]");
    }

    @Test
    void applicationsWithTheSameRuleNamesKeepTheirOwnLimits() throws Exception {
        deploy("/one", war("one", "orders", LIMIT + "/h"));
        deploy("/two", war("two", "billing", 2 * LIMIT + "/h"));
        assertThat(passed("/one", 2 * LIMIT)).isEqualTo(LIMIT);
        assertThat(passed("/two", 3 * LIMIT)).isEqualTo(2 * LIMIT);
        assertThat(passed("/one", 1)).isZero();
        assertThat(complaints("one") + complaints("two")).isEmpty();
    }

    @Test
    void anApplicationThatIsReloadedDoesNotDisturbAnother() throws Exception {
        Context reloaded = deploy("/one", war("one", "orders", LIMIT + "/h"));
        deploy("/two", war("two", "billing", "1000000/h"));
        assertThat(passed("/one", 2 * LIMIT)).isEqualTo(LIMIT);
        Load load = new Load(2, thread -> caller.get(url + "/two/hello", key("client-" + thread)));
        try (load) {
            for (int i = 0; i < 3; i++) {
                reloaded.reload();
                assertThat(reloaded.getState()).isEqualTo(LifecycleState.STARTED);
                // The other application's member has kept the buckets meanwhile.
                assertThat(passed("/one", 5)).isZero();
            }
        }
        assertThat(load.all()).isNotEmpty().allMatch(Sample::isPassed);
        awaitThatNoApplicationIsLeft();
        assertThat(complaints("one") + complaints("two")).isEmpty();
        assertThat(warnings.lines()).isEmpty();
    }

    private War war(String name, String service, String limit) throws Exception {
        return war(
                name,
                service,
                limit,
                HAZELCAST,
                Map.of(
                        "cluster", "wars",
                        "members", "127.0.0.1:%d,127.0.0.1:%d".formatted(memberPort, memberPort + 1),
                        "memberPort", Integer.toString(memberPort)));
    }

    private War war(String name, String service, String limit, List<Class<?>> store, Map<String, String> settings)
            throws Exception {
        War war = War.write(directory.resolve(name), service, limit, settings);
        for (Class<?> library : Iterables.concat(LIBRARIES, store)) {
            Path jar = pathOf(library.getProtectionDomain().getCodeSource().getLocation());
            Files.copy(jar, war.libraries().resolve(jar.getFileName()));
        }
        Path servlet = Path.of(HelloServlet.class.getName().replace('.', '/') + ".class");
        Path target = war.classes().resolve(servlet);
        Files.createDirectories(target.getParent());
        try (var bytes = HelloServlet.class.getResourceAsStream("/" + servlet)) {
            Files.copy(Objects.requireNonNull(bytes), target);
        }
        Files.writeString(war.classes().resolve("logback.xml"), """
                <configuration>
                  <appender name="file" class="ch.qos.logback.core.FileAppender">
                    <file>%s</file>
                    <encoder><pattern>%%-5level %%logger: %%msg%%n</pattern></encoder>
                  </appender>
                  <root level="WARN"><appender-ref ref="file"/></root>
                </configuration>
                """.formatted(log(name)));
        return war;
    }

    private StandardContext deploy(String path, War war) {
        StandardContext application = new StandardContext();
        application.setName(path);
        application.setPath(path);
        application.setDocBase(war.toString());
        application.setParentClassLoader(new ContainerClasses(RedeployedWarIT.class.getClassLoader()));
        ((StandardJarScanner) application.getJarScanner()).setScanClassPath(false);
        application.addLifecycleListener(new ContextConfig());
        tomcat.getHost().addChild(application);
        assertThat(application.getState()).isEqualTo(LifecycleState.STARTED);
        return application;
    }

    /** How many of so many requests of one client pass; the others must be refused. */
    private int passed(String path, int requests) {
        int passed = 0;
        for (int i = 0; i < requests; i++) {
            var answer = caller.get(url + path + "/hello", key("client"));
            assertThat(answer.isPassed() || answer.isRefused()).isTrue();
            passed += answer.isPassed() ? 1 : 0;
        }
        return passed;
    }

    /** Looks for class loaders of ended applications, after a garbage collection. */
    private void awaitThatNoApplicationIsLeft() {
        StandardHost host = (StandardHost) tomcat.getHost();
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(host.findReloadedContextMemoryLeaks()).isEmpty());
    }

    private static long loadedClasses() {
        System.gc();
        return ManagementFactory.getClassLoadingMXBean().getLoadedClassCount();
    }

    private static void assertThatThePortIsFree(int port) throws IOException {
        try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            assertThat(free.isBound()).isTrue();
        }
    }

    /** What an application's own log says of classes that are missing or not the ones that they seem. */
    private String complaints(String name) throws IOException {
        return Files.readString(log(name))
                .lines()
                .filter(line ->
                        line.contains("ClassNotFound") || line.contains("ClassCast") || line.contains("NoClassDef"))
                .findFirst()
                .orElse("");
    }

    private Path log(String name) {
        return directory.resolve(name + ".log");
    }

    private static Path pathOf(URL location) throws URISyntaxException {
        return Path.of(location.toURI());
    }
}
