package io.ratelimit.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.server.database.DatabaseSettings;
import io.ratelimit.server.web.Visitor.Form;
import io.ratelimit.server.web.Visitor.Page;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ten thousand rules: each page takes less than a second of a processor. */
@Tag("cluster")
class LargeRulesPagesTest {

    private static RunningService service;
    private static Visitor admin;

    @BeforeAll
    static void start() {
        service = RunningService.firstStart(new DatabaseSettings("jdbc:h2:mem:large-rules", null, null));
        admin = Visitor.signedIn(service, service.admin());
        service.publish("large", rules(10_000));
        for (int i = 1; i < 5; i++) {
            service.publish("large", rules(10_000 - i));
        }
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    private static String rules(int count) {
        return "service: large\nrules:\n"
                + IntStream.range(0, count)
                        .mapToObj(i -> "  - name: rule-" + i + "\n    match: { path: /api/part-" + i
                                + "/** }\n    limits: 10/s burst " + (i % 90 + 20) + "\n")
                        .collect(Collectors.joining());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "?filter=part-77",
                "?from=9800",
                "/edit",
                "/rules/rule-5000",
                "/history",
                "/versions/1",
                "/versions/5"
            })
    void eachPageComesSoon(String page) {
        assertThat(Quickly.answered(() -> admin.open("/services/large" + page)).status())
                .isEqualTo(200);
    }

    @Test
    void twoHundredAreShownAtATime() {
        Page first = admin.open("/services/large?filter=part-77");
        assertThat(first.document().select("tbody tr")).hasSize(111);

        Page all = admin.open("/services/large");
        assertThat(all.document().select("tbody tr")).hasSize(200);
        Page next = admin.open(all.document().select("a[rel=next]").attr("href"));
        assertThat(next.document().select("tbody th").first().text()).isEqualTo("rule-200");
        assertThat(next.text()).contains("Rules 201 to 400 of 9996");
    }

    @Test
    void aChangeOfOneIsCheckedAndReviewedSoon() {
        Page editor = admin.open("/services/large/edit");
        String text = editor.value("text").replace("name: rule-9000\n", "name: rule-9000-renamed\n");

        Page check = Quickly.answered(
                () -> admin.post("/services/large/check", Map.of("csrf", editor.csrf(), "text", text)));
        assertThat(check.text()).contains("No mistakes found in 9996 rules");
        Form form = editor.form("/services/large/review").with("text", text);
        Page review = Quickly.answered(form::send);
        assertThat(review.text()).contains("Renamed rule-9000 to rule-9000-renamed");
        assertThat(review.value("text")).isEqualTo(text);
    }

    @Test
    void aFormOfOneIsReviewedSoon() {
        Form form = admin.open("/services/large/rules/rule-7")
                .form("/services/large/rules/rule-7")
                .with("limits", "1/s");

        Page review = Quickly.answered(form::send);

        assertThat(review.text()).contains("Changed rule-7");
        assertThat(review.document().select(".diff ins")).hasSize(1);
    }

    @Test
    void aChangeOfAllIsShownInPart() {
        Page editor = admin.open("/services/large/edit");

        Page review = editor.form("/services/large/review")
                .with("text", editor.value("text").replace("10/s", "11/s"))
                .send();

        assertThat(review.status()).isEqualTo(200);
        assertThat(review.document().select(".diff tr").size()).isLessThan(1_010);
        assertThat(review.document().select(".changes > li")).hasSize(20);
        assertThat(review.text()).contains("And 9976 more rules", "more lines");
    }
}
