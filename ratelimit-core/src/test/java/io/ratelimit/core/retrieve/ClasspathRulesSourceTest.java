package io.ratelimit.core.retrieve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.RulesSource;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class ClasspathRulesSourceTest {

    @TempDir
    Path classes;

    private URLClassLoader loader;
    private RulesSource source;

    @BeforeEach
    void open() throws IOException {
        loader = new URLClassLoader(new URL[] {classes.toUri().toURL()}, null);
        source = RulesSources.of("classpath:ratelimit.yaml", RulesSourceSettings.of(loader));
    }

    @AfterEach
    void close() throws IOException {
        loader.close();
    }

    @Test
    void theGivenClassLoaderIsAskedAndTheAnswerNeverChanges() throws Exception {
        Path file = Files.writeString(classes.resolve("ratelimit.yaml"), "service: orders");
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_700_000_000_000L));

        RulesDocument document = source.retrieve(null).orElseThrow();

        assertThat(new String(document.content(), StandardCharsets.UTF_8)).isEqualTo("service: orders");
        assertThat(document.version()).isEqualTo(1_700_000_000_000L);
        assertThat(document.location()).isEqualTo("classpath:ratelimit.yaml");
        Files.writeString(classes.resolve("ratelimit.yaml"), "service: other");
        assertThat(source.retrieve(document)).isEmpty();
    }

    @Test
    void rulesOfAnEarlierDeploymentAreNotTakenForTheseOnes() throws Exception {
        Files.writeString(classes.resolve("ratelimit.yaml"), "service: orders");
        RulesDocument earlier = new RulesDocument(source.location(), new byte[] {1}, "tag", 0);

        assertThat(source.retrieve(earlier)).isPresent();
    }

    @Test
    void aJarsTimeThatNothingWasDeployedAtCountsAsWhenThisHostFirstSawTheRules() throws Exception {
        Path file = Files.writeString(classes.resolve("ratelimit.yaml"), "service: orders");
        Files.setLastModifiedTime(file, FileTime.fromMillis(0));
        ManualTimeSource time = new ManualTimeSource();
        RulesSource dated = RulesSources.of(
                "classpath:ratelimit.yaml", RulesSourceSettings.of(loader).withTime(time));

        assertThat(dated.retrieve(null).orElseThrow().version()).isEqualTo(time.currentTimeMillis());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void rulesInAJarAreAsOldAsItAndLeaveItClosed() throws Exception {
        Path jar = classes.resolve("orders app.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new ZipEntry("ratelimit.yaml"));
            out.write("service: orders".getBytes(StandardCharsets.UTF_8));
        }
        Files.setLastModifiedTime(jar, FileTime.fromMillis(1_700_000_000_000L));
        try (URLClassLoader jars = new URLClassLoader(new URL[] {jar.toUri().toURL()}, null)) {
            RulesSource packed = RulesSources.of("classpath:ratelimit.yaml", RulesSourceSettings.of(jars));
            jars.getResource("ratelimit.yaml");
            long before = opened(jar);
            assertThat(packed.retrieve(null).orElseThrow().version()).isEqualTo(1_700_000_000_000L);
            assertThat(opened(jar)).isEqualTo(before);
        }
    }

    private static long opened(Path file) throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors
                    .filter(descriptor -> {
                        try {
                            return Files.readSymbolicLink(descriptor).equals(file.toRealPath());
                        } catch (IOException closedMeanwhile) {
                            return false;
                        }
                    })
                    .count();
        }
    }

    @Test
    void aMissingResourceSaysWhereToPutIt() {
        assertThatThrownBy(() -> source.retrieve(null))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("classpath:ratelimit.yaml: is not on the class path")
                .hasMessageContaining("WEB-INF/classes");
    }

    @Test
    void aHugeResourceIsRefused() throws Exception {
        Files.write(classes.resolve("ratelimit.yaml"), new byte[ContentLimit.BYTES + 1]);

        assertThatThrownBy(() -> source.retrieve(null))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("larger than 4 MiB");
    }
}
