package io.ratelimit.core.retrieve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.RulesSource;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
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
