package io.ratelimit.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ratelimit.Decision;
import io.ratelimit.RateLimitListener;
import io.ratelimit.TimeSource;
import io.ratelimit.core.retrieve.CapturedLog;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.BucketStoreFactory;
import io.ratelimit.store.StoreException;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoreFactoriesTest {

    @TempDir
    private Path directory;

    private final List<AutoCloseable> toClose = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable closeable : toClose) {
            closeable.close();
        }
    }

    private ClassLoader providing(Object... factories) throws IOException {
        Path services = Files.createDirectories(directory.resolve("META-INF/services"));
        List<String> names = new ArrayList<>();
        for (Object factory : factories) {
            names.add(factory instanceof Class<?> type ? type.getName() : factory.toString());
        }
        Files.write(services.resolve(BucketStoreFactory.class.getName()), names);
        URLClassLoader loader =
                new URLClassLoader(new URL[] {directory.toUri().toURL()}, StoreFactoriesTest.class.getClassLoader());
        toClose.add(loader);
        return loader;
    }

    @Test
    void aKindThatCannotBeLoadedIsLeftOut() throws Exception {
        ClassLoader loader = providing(Broken.class, "io.ratelimit.missing.Factory", String.class, Failing.class);
        assertThat(new StoreFactories(loader).settingNames()).containsExactly("failing", "other");
    }

    @ParameterizedTest
    @CsvSource({"local, true", "open, true", "closed, false"})
    void onFailureAnswersForAStoreThatDoesNotStart(String onFailure, boolean allowed) throws Exception {
        Path rules = Files.writeString(
                directory.resolve("ratelimit.yaml"), "service: s\nrules: [{ name: all, limits: [3/h] }]\n");
        for (String how : List.of("store", "linkage")) {
            List<String> heard = new ArrayList<>();
            try (RateLimitEngine engine = RateLimitEngine.builder()
                    .classLoader(providing(Failing.class))
                    .rules(rules.toString())
                    .setting("failing", how)
                    .setting("onFailure", onFailure)
                    .listener(new RateLimitListener() {
                        @Override
                        public void onFailure(String kind, Throwable cause) {
                            heard.add(kind);
                            throw new IllegalStateException("a listener that misbehaves");
                        }
                    })
                    .build()) {
                engine.start();
                assertThat(engine.isReady()).isTrue();
                assertThat(engine.sharedStore()).isNull();
                Decision decision = engine.limiter().decide(TestRequest.get("/"));
                assertThat(decision.allowed()).isEqualTo(allowed);
                assertThat(decision.reason()).isEqualTo(Decision.Reason.FAILURE);
                assertThat(heard).containsExactly("store-error", "store-error");
            }
        }
    }

    @Test
    void aHostThatCannotJoinThoseThatTellOneAnotherDecidesAloneAndSaysSo() throws Exception {
        Path rules = Files.writeString(
                directory.resolve("ratelimit.yaml"),
                "service: s\nrules: [{ name: all, onFailure: closed, limits: [3/h] }]\n");
        try (CapturedLog log = new CapturedLog(StoreFactories.class);
                RateLimitEngine engine = RateLimitEngine.builder()
                        .classLoader(providing(Telling.class))
                        .rules(rules.toString())
                        .setting("telling", "x")
                        .build()) {
            engine.start();
            assertThat(log.errors())
                    .singleElement()
                    .satisfies(
                            line -> assertThat(line).contains("goes ALONE, deciding from its own buckets", "no port"));
            assertThat(engine.health().reasons())
                    .singleElement()
                    .satisfies(reason -> assertThat(reason).contains("could not join the others"));
            for (int i = 0; i < 4; i++) {
                assertThat(engine.limiter().decide(TestRequest.get("/")).allowed())
                        .isEqualTo(i < 3);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "failing, the one that fails",
        "failing other, the one that fails",
        "failing needed, the one that needs something",
        "needed, the one that needs something"
    })
    void allSettingsTogetherTellWhichKindIsMeant(String given, String kind) throws Exception {
        List<String> heard = new ArrayList<>();
        RateLimitEngineBuilder builder = RateLimitEngine.builder()
                .classLoader(providing(Failing.class, Needing.class))
                .listener(new RateLimitListener() {
                    @Override
                    public void onFailure(String kind, Throwable cause) {
                        heard.add(cause.getMessage());
                    }
                });
        for (String setting : given.split(" ")) {
            builder.setting(setting, "x");
        }
        builder.build().close();
        assertThat(heard).containsExactly(kind);
    }

    @Test
    void settingsOfTwoKindsAreAMistake() throws Exception {
        RateLimitEngineBuilder builder = RateLimitEngine.builder()
                .classLoader(providing(Failing.class, Needing.class))
                .setting("other", "x")
                .setting("needed", "x");
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("settings needed, other: they ask for shared stores of different kinds, of which a host has"
                        + " one; leave the others' out");
    }

    @Test
    void aSettingWithoutTheOneThatItNeedsIsAMistake() throws Exception {
        RateLimitEngineBuilder builder =
                RateLimitEngine.builder().classLoader(providing(Needing.class)).setting("failing", "x");
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("settings failing: the shared store needs needed too");
    }

    @Test
    void aSettingThatIsWrongIsForTheApplicationToHear() throws Exception {
        RateLimitEngineBuilder builder =
                RateLimitEngine.builder().classLoader(providing(Failing.class)).setting("failing", "setting");
        assertThatThrownBy(builder::build).isInstanceOf(IllegalArgumentException.class);
    }

    /** Cannot be made. */
    public static final class Broken extends Failing {

        /** Fails. */
        public Broken() {
            throw new IllegalStateException("no");
        }
    }

    /** Makes no store. */
    public static class Failing implements BucketStoreFactory {

        /** Made by the service loader. */
        public Failing() {}

        @Override
        public Set<String> settings() {
            return Set.of("failing", "other");
        }

        @Override
        public BucketStore create(Map<String, String> settings, TimeSource timeSource) {
            switch (settings.getOrDefault("failing", "")) {
                case "setting" -> throw new IllegalArgumentException("setting failing is 'setting'");
                case "linkage" -> throw new NoClassDefFoundError("half a class path");
                default -> throw new StoreException("store-error", "the one that fails");
            }
        }
    }

    /** Has no way to the other hosts, and no buckets anyway. */
    public static final class Telling implements BucketStoreFactory {

        /** Made by the service loader. */
        public Telling() {}

        @Override
        public Set<String> settings() {
            return Set.of("telling");
        }

        @Override
        public boolean broadcasts() {
            return true;
        }

        @Override
        public boolean onlyBroadcasts() {
            return true;
        }

        @Override
        public BucketStore create(Map<String, String> settings, TimeSource timeSource) {
            throw new StoreException("store-error", "no port");
        }
    }

    /** Makes no store either, and not even tries without a setting. */
    public static final class Needing implements BucketStoreFactory {

        /** Made by the service loader. */
        public Needing() {}

        @Override
        public Set<String> settings() {
            return Set.of("failing", "needed");
        }

        @Override
        public Set<String> requiredSettings() {
            return Set.of("needed");
        }

        @Override
        public BucketStore create(Map<String, String> settings, TimeSource timeSource) {
            throw new StoreException("store-error", "the one that needs something");
        }
    }
}
