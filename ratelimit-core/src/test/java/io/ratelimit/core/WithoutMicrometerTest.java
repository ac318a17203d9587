package io.ratelimit.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Micrometer is there for whoever wants meters, and nobody else needs it. */
class WithoutMicrometerTest {

    /** The classes of the class path once more, but for Micrometer's. */
    private static final class Loader extends URLClassLoader {

        Loader() {
            super(classPath(), ClassLoader.getPlatformClassLoader());
        }

        private static URL[] classPath() {
            return Arrays.stream(System.getProperty("java.class.path").split(java.io.File.pathSeparator))
                    .filter(entry -> !entry.contains("micrometer"))
                    .map(Loader::url)
                    .toArray(URL[]::new);
        }

        private static URL url(String entry) {
            try {
                return Path.of(entry).toUri().toURL();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** Runs on the other side. */
    public static final class Program implements Callable<String> {

        private static RateLimitEngineBuilder builder() {
            return RateLimitEngine.builder()
                    .rules(new RulesText("service: test\nrules:\n  - { name: all, limits: [3/h] }\n"));
        }

        @Override
        public String call() {
            StringBuilder said = new StringBuilder();
            try (RateLimitEngine engine = builder().build()) {
                engine.start();
                for (int i = 0; i < 4; i++) {
                    said.append(engine.limiter().allowRequest(TestRequest.get("/")));
                    said.append(' ');
                }
            }
            try {
                builder().setting("metrics", "true").build();
            } catch (IllegalArgumentException e) {
                said.append(e.getMessage());
            }
            return said.toString();
        }
    }

    @Test
    void anEngineWorksWithoutItAndTheSettingThatNeedsItSaysSo() throws Exception {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (Loader loader = new Loader()) {
            Thread.currentThread().setContextClassLoader(loader);
            Callable<?> program = (Callable<?>)
                    loader.loadClass(Program.class.getName()).getConstructor().newInstance();
            assertThat(program.call())
                    .isEqualTo("true true true false setting metrics needs Micrometer:"
                            + " add io.micrometer:micrometer-core to the class path");
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }
}
