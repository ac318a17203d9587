package io.ratelimit.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.server.web.RunningService.Answer;

/** What holds of each page. */
final class Pages {

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
}
