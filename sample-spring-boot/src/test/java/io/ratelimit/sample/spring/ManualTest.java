package io.ratelimit.sample.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page of the manual shows code that runs here. */
class ManualTest {

    private static final Pattern SNIPPET = Pattern.compile("```(\\w+)\\n(.*?)```", Pattern.DOTALL);

    private static final Path TESTS = Path.of("src/test/java/io/ratelimit/sample/spring/OrdersApplicationTest.java");

    @Test
    void everySnippetIsInTheTestedCode() throws IOException {
        Matcher snippets = SNIPPET.matcher(Files.readString(Path.of("../docs/spring-boot.md")));
        int found = 0;
        while (snippets.find()) {
            found++;
            String text = snippets.group(2);
            switch (snippets.group(1)) {
                case "java" ->
                    assertThat(main("java/io/ratelimit/sample/spring/Limits.java"))
                            .contains(text);
                case "yaml" -> assertThat(main("resources/ratelimit.yaml")).isEqualTo(text);
                case "sh" ->
                    assertThat(text).contains("java -jar sample-spring-boot/target/", "localhost:8080/api/orders");
                default ->
                    assertThat(Files.readString(TESTS))
                            .contains(text.lines()
                                    .map(line -> "\"--" + line + "\"")
                                    .toList());
            }
        }
        assertThat(found).isEqualTo(4);
    }

    private static String main(String file) throws IOException {
        return Files.readString(Path.of("src/main", file));
    }
}
