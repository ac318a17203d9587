package io.ratelimit.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.server.database.DatabaseSettings;
import io.ratelimit.server.web.Visitor.Page;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class AuditPageTest {

    private static RunningService service;
    private static Visitor admin;

    @BeforeAll
    static void start() {
        service = RunningService.firstStart(new DatabaseSettings("jdbc:h2:mem:audit-page", null, null));
        admin = Visitor.signedIn(service, service.admin());
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
        Page page = admin.open("/audit");

        ConsoleSecurityTest.requireHarmless(page);
        assertThat(page.text()).containsSubsequence("bootstrap", "published rules", "orders", "version 150");
        assertThat(page.html()).containsPattern("<time datetime=\"[0-9TZ:-]+\">[0-9]+ [A-Z][a-z]+ [0-9]{4}, ");
    }

    @Test
    void namesWhoseTokenWasRevoked() throws Exception {
        RunningService.Answer made = service.post(
                "/v1/tokens",
                service.admin(),
                "{\"name\": \"alice\", \"role\": \"viewer\", \"services\": [\"orders\"]}");
        long id = made.json().get("id").asLong();
        service.send(service.request("/v1/tokens/" + id, service.admin()).DELETE());

        assertThat(admin.open("/audit").text()).containsSubsequence("revoked a token", "token " + id + " of alice");
    }

    @Test
    void goesBackPageByPage() {
        Page first = admin.open("/audit?service=orders");
        Matcher older = Pattern.compile("href=\"(/audit[^\"]*before=[0-9]+)\"").matcher(first.html());
        assertThat(older.find()).as(first.toString()).isTrue();

        Page second = admin.open(older.group(1).replace("&amp;", "&"));

        assertThat(first.text()).contains("version 51 ").doesNotContain("version 50 ", "Newest");
        assertThat(second.text())
                .contains("version 50 ", "version 1 ", "Newest")
                .doesNotContain("Older");
    }

    @Test
    void looksAtOneServiceAlone() {
        assertThat(admin.open("/audit?service=billing").text())
                .contains("billing")
                .doesNotContain("orders");
        assertThat(admin.open("/audit?service=none").text()).contains("to a service named none");
    }

    @Test
    void escapesWhatIsAskedFor() {
        Page page = admin.open("/audit?service=%22%3E%3Cimg%20src=x%3E");

        ConsoleSecurityTest.requireHarmless(page);
        assertThat(page.html()).doesNotContain("<img");
    }
}
