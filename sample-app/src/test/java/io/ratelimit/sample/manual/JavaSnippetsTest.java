package io.ratelimit.sample.manual;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The Java of the manual compiles. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JavaSnippetsTest {

    /** Their modules run them as tests. */
    private static final List<String> RUN_ELSEWHERE = List.of("docs/spring-boot.md", "docs/testing-your-rules.md");

    private SnippetCompiler compiler;

    @BeforeAll
    void startCompiler() {
        compiler = new SnippetCompiler();
    }

    @AfterAll
    void stopCompiler() throws IOException {
        compiler.close();
    }

    static List<Snippet> snippets() throws IOException {
        return Manual.snippets("java").stream()
                .filter(snippet -> !RUN_ELSEWHERE.contains(snippet.page()))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("snippets")
    void compiles(Snippet snippet) throws IOException {
        assertThat(compiler.problems(snippet)).isEmpty();
    }
}
