package io.ratelimit.server.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.server.database.DatabaseSettings;
import io.ratelimit.server.web.RunningService;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions that end in another tab while somebody types. */
@Tag("browser")
class SignedOutInBrowserTest {

    /** What another tab does, and the title that tells of it. */
    private static final String IN_ANOTHER_TAB = """
            const fields = new URLSearchParams({ csrf: document.querySelector("[name=csrf]").value, token: arguments[1] });
            fetch(arguments[0], { method: "POST", body: fields }).then(() => { document.title = arguments[0]; });
            """;

    @TempDir
    static Path directory;

    private static RunningService service;
    private static Browser browser;

    @BeforeAll
    static void open() {
        service = RunningService.firstStart(new DatabaseSettings("jdbc:h2:mem:signed-out", null, null));
        service.publish("orders", "service: orders\nrules:\n  - { name: everyone, limits: 10/s }\n");
        browser = Browser.open(service.uri("/"), directory.resolve("profile"));
    }

    @AfterAll
    static void close() {
        browser.close();
        service.close();
    }

    @BeforeEach
    void signIn() {
        browser.signIn(service.admin());
    }

    private static void inAnotherTab(String path) {
        browser.run(IN_ANOTHER_TAB, path, service.admin());
        browser.await(() -> browser.run("return document.title").equals(path));
    }

    @Test
    void theEditorKeepsItsTextAndGoesOnAfterSigningIn() {
        browser.go("/services/orders/edit");
        inAnotherTab("/sign-out");
        browser.find("#text").sendKeys("# typed");
        browser.await(() -> browser.find("#findings").getText().startsWith("You are signed out."));

        inAnotherTab("/sign-in");
        browser.find("#text").sendKeys(" more");
        browser.await(() -> browser.find("#findings").getText().startsWith("No mistakes"));
        browser.press("Review changes");

        browser.await(() -> browser.path().endsWith("/review"));
        assertThat(browser.text()).contains("# typed more", "Publish version 2");
    }

    @Test
    void aFormThatIsSentTooLateIsKept() {
        browser.go("/services/orders/new-rule");
        browser.find("#name").sendKeys("typed");
        inAnotherTab("/sign-out");
        browser.press("Review changes");
        browser.await(() -> browser.text().contains("You are signed out"));

        inAnotherTab("/sign-in");
        browser.press("Go on");
        browser.await(() -> browser.text().contains("You have signed in anew"));
        browser.press("Go on");

        browser.await(() -> browser.text().contains("What changes"));
        assertThat(browser.text()).contains("Added typed", "Publish version");
    }

    @Test
    void pagesThatKeepThemselvesUpToDateStayWhereTheyAre() {
        browser.go("/services/orders");
        browser.find("#filter").sendKeys("every");
        inAnotherTab("/sign-out");

        browser.await(() -> browser.find("#signed-out").isDisplayed());
        assertThat(browser.path()).isEqualTo("/services/orders");
        assertThat(browser.find("#filter").getDomProperty("value")).isEqualTo("every");
    }
}
