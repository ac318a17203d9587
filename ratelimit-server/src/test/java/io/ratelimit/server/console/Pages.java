package io.ratelimit.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.server.web.RunningService.Answer;
import java.time.Duration;
import java.util.function.Supplier;

/** What holds of each page. */
final class Pages {

    private static final int TRIES = 8;
    private static final Duration SOON = Duration.ofSeconds(1);

    private Pages() {}

    /** A page that a browser shows as it is meant under the policy of the service. */
    static void check(Answer page) {
        assertThat(page.header("Content-Type")).as(page.toString()).startsWith("text/html");
        assertThat(page.header("Content-Security-Policy")).contains("script-src 'self'", "style-src 'self'");
        assertThat(page.header("Cache-Control")).isEqualTo("no-store");
        // What stands in quotes is a value, whatever it looks like.
        assertThat(page.body().replaceAll("=\"[^\"]*\"", "=\"\"").replace("<script src=\"\" defer></script>", ""))
                .doesNotContain("<script")
                .doesNotContain("<style")
                .doesNotContainPattern("<[^>]* style=")
                .doesNotContainPattern("<[^>]* (?:on[a-z]+|hx-on[^=]*)=")
                .doesNotContain("javascript:");
    }

    /** What stands in the page's main part as a reader sees it. */
    static String text(Answer page) {
        return page.body()
                .replaceAll("(?s)^.*<main", "<main")
                .replaceAll("<[^>]*>", " ")
                .replaceAll("\\s+", " ")
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&#34;", "\"")
                .replace("&#39;", "'")
                .replace("&amp;", "&");
    }

    /**
     * Asks until a page takes this process no more than a second of processor time, which others that are at work on the
     * machine do not stretch.
     */
    static Answer soon(Supplier<Answer> question) {
        Duration quickest = Duration.ofDays(1);
        for (int i = 0; i < TRIES; i++) {
            Duration begin = processorTime();
            Answer page = question.get();
            Duration took = processorTime().minus(begin);
            if (took.compareTo(SOON) <= 0) {
                return page;
            }
            quickest = took.compareTo(quickest) < 0 ? took : quickest;
        }
        throw new AssertionError("the quickest answer took " + quickest);
    }

    private static Duration processorTime() {
        return ProcessHandle.current().info().totalCpuDuration().orElseThrow();
    }
}
