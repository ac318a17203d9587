package io.ratelimit.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.server.database.DatabaseSettings;
import io.ratelimit.server.web.ConsoleSession;
import io.ratelimit.server.web.RunningService;
import io.ratelimit.server.web.RunningService.Answer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class AuditPageTest {

    private static RunningService service;
    private static ConsoleSession admin;

    @BeforeAll
    static void start() {
        service = RunningService.firstStart(new DatabaseSettings("jdbc:h2:mem:audit-page", null, null));
        admin = ConsoleSession.signIn(service, service.admin());
        service.publish("billing", "service: billing\nrules: []\n");
        for (int i = 0; i < 150; i++) {
            service.publish("orders", "service: orders\nrules: []\n# " + i + "\n");
        }
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void tellsWhoDidWhatAndWhenNewestFirst() {
        Answer page = admin.get("/audit");

        Pages.check(page);
        assertThat(Pages.text(page)).containsSubsequence("bootstrap", "published rules", "orders", "version 150");
        assertThat(page.body()).containsPattern("<time datetime=\"[0-9TZ:-]+\">[0-9]+ [A-Z][a-z]+ [0-9]{4}, ");
    }

    @Test
    void goesBackPageByPage() {
        Answer first = admin.get("/audit?service=orders");
        Matcher older = Pattern.compile("href=\"(/audit[^\"]*before=[0-9]+)\"").matcher(first.body());
        assertThat(older.find()).as(first.toString()).isTrue();

        Answer second = admin.get(older.group(1).replace("&amp;", "&"));

        assertThat(Pages.text(first)).contains("version 51 ").doesNotContain("version 50 ", "Newest");
        assertThat(Pages.text(second))
                .contains("version 50 ", "version 1 ", "Newest")
                .doesNotContain("Older");
    }

    @Test
    void looksAtOneServiceAlone() {
        assertThat(Pages.text(admin.get("/audit?service=billing")))
                .contains("billing")
                .doesNotContain("orders");
        assertThat(Pages.text(admin.get("/audit?service=none"))).contains("to a service named none");
    }

    @Test
    void escapesWhatIsAskedFor() {
        Answer page = admin.get("/audit?service=%22%3E%3Cimg%20src=x%3E");

        Pages.check(page);
        assertThat(page.body()).doesNotContain("<img");
    }
}
