package io.ratelimit.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.server.database.DatabaseSettings;
import io.ratelimit.server.web.Visitor.Page;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class TokensPageTest {

    private static final Pattern SECRET = Pattern.compile("rlt_[A-Za-z0-9_-]{20,}");

    private static RunningService service;
    private static Visitor admin;

    @BeforeAll
    static void start() {
        service = RunningService.firstStart(new DatabaseSettings("jdbc:h2:mem:tokens-page", null, null));
        service.publish("orders", "service: orders\nrules: []\n");
        admin = Visitor.signedIn(service, service.admin());
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    private static Page give(String name, String role, String services, String lastDay) {
        return admin.submit("/tokens", Map.of("name", name, "role", role, "services", services, "lastDay", lastDay));
    }

    private static String secretIn(Page page) {
        Matcher secret = SECRET.matcher(page.html());
        assertThat(secret.find()).as(page.toString()).isTrue();
        return secret.group();
    }

    /** The number of the one token of a name. */
    private static String idOf(String name) {
        Matcher id = Pattern.compile("/tokens/([0-9]+)/revoke\" aria-label=\"Revoke the token of " + name + "\"")
                .matcher(admin.open("/tokens").html());
        assertThat(id.find()).isTrue();
        return id.group(1);
    }

    @Test
    void givesOutATokenAndShowsItsSecretThisOnce() {
        Page page = give("dora", "viewer", "orders, billing", "2099-12-31");

        ConsoleSecurityTest.requireHarmless(page);
        assertThat(page.status()).isEqualTo(201);
        assertThat(page.text()).contains("it is shown this once", "Role viewer, services: billing, orders");
        String secret = secretIn(page);
        assertThat(Visitor.signedIn(service, secret)
                        .open("/services/orders/traffic")
                        .status())
                .isEqualTo(200);
        Page list = admin.open("/tokens");
        ConsoleSecurityTest.requireHarmless(list);
        assertThat(list.text())
                .containsSubsequence("dora", "viewer", "billing, orders", "by bootstrap", "1 Jan 2100, 00:00 UTC");
        for (String path : new String[] {"/tokens", "/audit", "/", "/tokens/" + idOf("dora") + "/revoke"}) {
            assertThat(admin.open(path).html()).as(path).doesNotContainPattern(SECRET);
        }
    }

    @Test
    void givesOutTokensForAllServices() {
        assertThat(give("every", "editor", " * ", "").text()).contains("Role editor, services: all");
    }

    @Test
    void saysWhatIsWrongAndKeepsWhatWasTyped() {
        Page noService = give("eve<b>", "editor", "", "");
        ConsoleSecurityTest.requireHarmless(noService);
        assertThat(noService.status()).isEqualTo(422);
        assertThat(noService.text()).contains("The token was not given out: a token needs services");
        assertThat(noService.html()).contains("value=\"eve&lt;b").containsPattern("value=\"editor\" checked");

        assertThat(give("eve", "editor", "or ders", "").text()).contains("a service's name is made of");
        assertThat(give("eve", "admin", "orders", "").text()).contains("an admin is one for all services");
        assertThat(give("eve", "king", "orders", "").text()).contains("there is no such role");
        assertThat(give(" ", "viewer", "orders", "").text()).contains("a token's name says who bears it");
        assertThat(give("eve", "viewer", "orders", "tomorrow").text()).contains("the last day must be a date");
        assertThat(give("eve", "viewer", "orders", "2020-01-01").text()).contains("would have ended already");
        assertThat(admin.open("/tokens").html()).doesNotContain(">eve<", ">eve&lt;");
    }

    @Test
    void revokesATokenAfterAQuestion() {
        String secret = secretIn(give("frank", "viewer", "orders", ""));
        Visitor frank = Visitor.signedIn(service, secret);
        String path = "/tokens/" + idOf("frank") + "/revoke";

        Page question = admin.open(path);
        ConsoleSecurityTest.requireHarmless(question);
        assertThat(question.text()).contains("Revoke the token of frank?").doesNotContain("signed in with");
        assertThat(frank.open("/").status()).isEqualTo(200);

        Page done = admin.submit(path, Map.of());

        assertThat(done.address()).startsWith("/tokens?revoked=");
        assertThat(done.text())
                .contains("The token of frank is revoked")
                .containsSubsequence("No more in use", "frank", "revoked");
        assertThat(frank.open("/").address()).as("signed out").startsWith("/sign-in");
        assertThat(service.get("/v1/services", secret).status()).isEqualTo(401);
        assertThat(admin.submit(path, Map.of()).status()).isEqualTo(404);
    }

    @Test
    void notesServicesThatAreNotThereYet() {
        Page page = give("gina", "host", "orders, ordrs", "");

        assertThat(page.status()).isEqualTo(201);
        assertThat(page.text()).contains("There is no service ordrs yet").doesNotContain("no service orders");
    }

    @Test
    void keepsTheLastAdmin() {
        String path = "/tokens/" + idOf("bootstrap") + "/revoke";

        assertThat(admin.open(path).text()).contains("you will be signed out");
        Page refused = admin.submit(path, Map.of());

        ConsoleSecurityTest.requireHarmless(refused);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text()).contains("Nothing was revoked: this is the last admin's token");
        assertThat(admin.open("/tokens").status()).isEqualTo(200);
    }

    @Test
    void escapesNames() {
        give("<img src=x onerror=alert(1)>\"", "viewer", "orders", "");

        assertThat(admin.open("/tokens").html()).contains("&lt;img src=x").doesNotContain("<img");
        assertThat(admin.open("/audit").html()).contains("&lt;img src=x").doesNotContain("<img");
    }

    @Test
    void isForAdmins() {
        String id = idOf("bootstrap");
        for (String role : new String[] {"viewer", "editor"}) {
            Visitor other = Visitor.signedIn(service, service.token("other " + role, role, "*"));
            assertThat(other.open("/tokens").status()).isEqualTo(403);
            assertThat(other.open("/tokens/" + id + "/revoke").status()).isEqualTo(403);
            assertThat(other.submit("/tokens/" + id + "/revoke", Map.of()).status())
                    .isEqualTo(403);
            assertThat(other.submit("/tokens", Map.of("name", "x", "role", "admin", "services", "*"))
                            .status())
                    .isEqualTo(403);
            assertThat(other.open("/audit").status()).isEqualTo(403);
        }
    }

    @Test
    void takesNoFormWithoutTheSessionsOwnToken() {
        Map<String, String> form = Map.of("name", "x", "role", "viewer", "services", "orders", "csrf", "guessed");

        assertThat(admin.post("/tokens", form).status()).isEqualTo(403);
        assertThat(admin.post("/tokens/1/revoke", Map.of()).status()).isEqualTo(403);
    }
}
