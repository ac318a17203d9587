package io.ratelimit.sample.manual;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tests that the manual names are there. */
class NamedTestsTest {

    private static final Pattern TEST = Pattern.compile("`([A-Z]\\w*(?:Test|IT|Contract))(?:\\.(\\w+))?`");

    @ParameterizedTest
    @ValueSource(strings = {"docs/testing.md", "docs/security.md", "docs/performance.md"})
    void everyTestThatAPageNamesIsThere(String page) throws IOException {
        Map<String, String> sources = sourcesOfTests();
        List<String> missing = TEST.matcher(Files.readString(Manual.ROOT.resolve(page)))
                .results()
                .filter(test -> !isThere(sources.get(test.group(1)), test.group(2)))
                .map(test -> test.group())
                .toList();
        assertThat(missing).as(page).isEmpty();
    }

    @Test
    void everyHostileInputHasATest() throws IOException {
        String page = Files.readString(Manual.ROOT.resolve("docs/security.md"));
        List<String> rows = page.substring(0, page.indexOf("## Secrets"))
                .lines()
                .filter(line -> line.startsWith("| ") && !line.startsWith("| what ") && !line.startsWith("| ---"))
                .toList();
        assertThat(rows).isNotEmpty().allMatch(row -> TEST.matcher(row).find());
    }

    private static boolean isThere(String source, String method) {
        return source != null && (method == null || source.contains(" " + method + "("));
    }

    private static Map<String, String> sourcesOfTests() throws IOException {
        try (Stream<Path> modules = Files.list(Manual.ROOT)) {
            return modules.map(module -> module.resolve("src/test/java"))
                    .filter(Files::isDirectory)
                    .flatMap(NamedTestsTest::javaFiles)
                    .collect(Collectors.toMap(
                            file -> file.getFileName().toString().replace(".java", ""),
                            NamedTestsTest::text,
                            String::concat));
        }
    }

    private static Stream<Path> javaFiles(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
