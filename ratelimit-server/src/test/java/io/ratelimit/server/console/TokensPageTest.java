package io.ratelimit.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.server.database.DatabaseSettings;
import io.ratelimit.server.web.ConsoleSession;
import io.ratelimit.server.web.RunningService;
import io.ratelimit.server.web.RunningService.Answer;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class TokensPageTest {

    private static final Pattern SECRET = Pattern.compile("rlt_[A-Za-z0-9_-]{20,}");

    private static RunningService service;
    private static ConsoleSession admin;

    @BeforeAll
    static void start() {
        service = RunningService.firstStart(new DatabaseSettings("jdbc:h2:mem:tokens-page", null, null));
        service.publish("orders", "service: orders\nrules: []\n");
        admin = ConsoleSession.signIn(service, service.admin());
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    private static Answer give(String name, String role, String services, String lastDay) {
        return admin.post("/tokens", Map.of("name", name, "role", role, "services", services, "lastDay", lastDay));
    }

    private static String secretIn(Answer page) {
        Matcher secret = SECRET.matcher(page.body());
        assertThat(secret.find()).as(page.toString()).isTrue();
        return secret.group();
    }

    /** The number of the one token of a name. */
    private static String idOf(String name) {
        Matcher id = Pattern.compile("/tokens/([0-9]+)/revoke\" aria-label=\"Revoke the token of " + name + "\"")
                .matcher(admin.get("/tokens").body());
        assertThat(id.find()).isTrue();
        return id.group(1);
    }

    @Test
    void givesOutATokenAndShowsItsSecretThisOnce() {
        Answer page = give("dora", "viewer", "orders, billing", "2099-12-31");

        Pages.check(page);
        assertThat(page.status()).isEqualTo(201);
        assertThat(Pages.text(page)).contains("it is shown this once", "Role viewer, services: billing, orders");
        String secret = secretIn(page);
        assertThat(ConsoleSession.signIn(service, secret)
                        .get("/services/orders/traffic")
                        .status())
                .isEqualTo(200);
        Answer list = admin.get("/tokens");
        Pages.check(list);
        assertThat(Pages.text(list))
                .containsSubsequence("dora", "viewer", "billing, orders", "by bootstrap", "1 Jan 2100, 00:00 UTC");
        for (String path : new String[] {"/tokens", "/audit", "/", "/tokens/" + idOf("dora") + "/revoke"}) {
            assertThat(admin.get(path).body()).as(path).doesNotContainPattern(SECRET);
        }
    }

    @Test
    void givesOutTokensForAllServices() {
        assertThat(Pages.text(give("every", "editor", " * ", ""))).contains("Role editor, services: all");
    }

    @Test
    void saysWhatIsWrongAndKeepsWhatWasTyped() {
        Answer noService = give("eve<b>", "editor", "", "");
        Pages.check(noService);
        assertThat(noService.status()).isEqualTo(422);
        assertThat(Pages.text(noService)).contains("The token was not given out: a token needs services");
        assertThat(noService.body()).contains("value=\"eve&lt;b").containsPattern("value=\"editor\" checked");

        assertThat(Pages.text(give("eve", "editor", "or ders", ""))).contains("a service's name is made of");
        assertThat(Pages.text(give("eve", "admin", "orders", ""))).contains("an admin is one for all services");
        assertThat(Pages.text(give("eve", "king", "orders", ""))).contains("there is no such role");
        assertThat(Pages.text(give(" ", "viewer", "orders", ""))).contains("a token's name says who bears it");
        assertThat(Pages.text(give("eve", "viewer", "orders", "tomorrow"))).contains("the last day must be a date");
        assertThat(Pages.text(give("eve", "viewer", "orders", "2020-01-01"))).contains("would have ended already");
        assertThat(admin.get("/tokens").body()).doesNotContain("eve<").doesNotContain(">eve<");
    }

    @Test
    void revokesATokenAfterAQuestion() {
        String secret = secretIn(give("frank", "viewer", "orders", ""));
        ConsoleSession frank = ConsoleSession.signIn(service, secret);
        String path = "/tokens/" + idOf("frank") + "/revoke";

        Answer question = admin.get(path);
        Pages.check(question);
        assertThat(Pages.text(question)).contains("Revoke the token of frank?").doesNotContain("signed in with");
        assertThat(frank.get("/").status()).isEqualTo(200);

        Answer done = admin.post(path, Map.of());

        assertThat(done.status()).isEqualTo(303);
        assertThat(Pages.text(admin.get(done.header("Location"))))
                .contains("The token of frank is revoked")
                .containsSubsequence("No more in use", "frank", "revoked");
        assertThat(frank.get("/").status()).as("signed out").isEqualTo(303);
        assertThat(service.get("/v1/services", secret).status()).isEqualTo(401);
        assertThat(admin.post(path, Map.of()).status()).isEqualTo(404);
    }

    @Test
    void keepsTheLastAdmin() {
        String path = "/tokens/" + idOf("bootstrap") + "/revoke";

        assertThat(Pages.text(admin.get(path))).contains("you will be signed out");
        Answer refused = admin.post(path, Map.of());

        Pages.check(refused);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(Pages.text(refused)).contains("Nothing was revoked: this is the last admin's token");
        assertThat(admin.get("/tokens").status()).isEqualTo(200);
    }

    @Test
    void escapesNames() {
        give("<img src=x onerror=alert(1)>\"", "viewer", "orders", "");

        assertThat(admin.get("/tokens").body()).contains("&lt;img src=x").doesNotContain("<img");
        assertThat(admin.get("/audit").body()).contains("&lt;img src=x").doesNotContain("<img");
    }

    @Test
    void isForAdmins() {
        String id = idOf("bootstrap");
        for (String role : new String[] {"viewer", "editor"}) {
            ConsoleSession other = ConsoleSession.signIn(service, service.token("other " + role, role, "*"));
            assertThat(other.get("/tokens").status()).isEqualTo(403);
            assertThat(other.get("/tokens/" + id + "/revoke").status()).isEqualTo(403);
            assertThat(other.post("/tokens/" + id + "/revoke", Map.of()).status())
                    .isEqualTo(403);
            assertThat(other.post("/tokens", Map.of("name", "x", "role", "admin", "services", "*"))
                            .status())
                    .isEqualTo(403);
            assertThat(other.get("/audit").status()).isEqualTo(403);
        }
    }

    @Test
    void takesNoFormWithoutTheSessionsOwnToken() {
        Map<String, String> form = Map.of("name", "x", "role", "viewer", "services", "orders", "csrf", "guessed");

        assertThat(admin.postAlone("/tokens", form).status()).isEqualTo(403);
        assertThat(admin.postAlone("/tokens/1/revoke", Map.of()).status()).isEqualTo(403);
    }
}
