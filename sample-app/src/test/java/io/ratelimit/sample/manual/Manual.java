package io.ratelimit.sample.manual;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The pages of the manual: README.md and those of docs. */
final class Manual {

    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final Pattern BLOCK = Pattern.compile("^```(\\w+)\\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);

    private Manual() {}

    /** The texts of all pages, each with its path below {@link #ROOT}. */
    static List<Snippet> pages() throws IOException {
        try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
            List<Path> files = Stream.concat(Stream.of(ROOT.resolve("README.md")), docs.sorted())
                    .filter(file -> file.toString().endsWith(".md"))
                    .toList();
            List<Snippet> pages = new ArrayList<>();
            for (Path file : files) {
                pages.add(new Snippet(ROOT.relativize(file).toString(), 1, "md", Files.readString(file)));
            }
            return pages;
        }
    }

    /** The fenced blocks in one language, of which there must be some. */
    static List<Snippet> snippets(String language) throws IOException {
        List<Snippet> snippets = pages().stream()
                .flatMap(page -> BLOCK.matcher(page.text()).results().map(block -> {
                    String before = page.text().substring(0, block.start(2));
                    int line = (int) before.lines().count() + 1;
                    return new Snippet(page.page(), line, block.group(1), block.group(2));
                }))
                .filter(snippet -> snippet.language().equals(language))
                .toList();
        assertThat(snippets).as(language).isNotEmpty();
        return snippets;
    }
}
