package io.ratelimit.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The manual shows the code that is tested. */
class ManualPageTest {

    private static final Path MODULE = Path.of("").toAbsolutePath();

    private static String page() throws IOException {
        return Files.readString(MODULE.resolve("../docs/testing-your-rules.md"));
    }

    private static String test(String file) throws IOException {
        String source = Files.readString(MODULE.resolve("src/test/java/io/ratelimit/junit/" + file));
        return source.substring(source.indexOf("\n\n") + 2);
    }

    @Test
    void theExamplesOfTheManualAreTestsThatRun() throws Exception {
        String withOwnPackage = test("OrdersRulesTest.java")
                .replace(
                        "import java.time.Duration;",
                        "import io.ratelimit.junit.RateLimitExtension;\nimport io.ratelimit.junit.RateLimitRules;\n"
                                + "import io.ratelimit.junit.RulesUnderTest;\nimport java.time.Duration;");
        assertThat(page()).contains("```java\n" + withOwnPackage + "```");
    }

    @Test
    void theRulesOfTheExampleAreThoseThatItRunsWith() throws Exception {
        String rules = Files.readString(MODULE.resolve("src/test/resources/ratelimit.yaml"));
        assertThat(page()).contains("```yaml\n" + rules + "```");
    }

    @Test
    void theExampleWithExtensionsOfTheApplicationRuns() throws Exception {
        String source = test("CompletedEngineTest.java");
        String body = source.substring(source.indexOf("    @RegisterExtension"), source.lastIndexOf("}"));
        assertThat(page()).contains("```java\n" + body.stripTrailing().stripIndent() + "\n```");
    }
}
