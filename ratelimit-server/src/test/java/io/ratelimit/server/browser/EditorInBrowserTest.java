package io.ratelimit.server.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.server.browser.Browser.Theme;
import io.ratelimit.server.database.DatabaseSettings;
import io.ratelimit.server.web.RunningService;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the editor says while somebody types. */
@Tag("browser")
class EditorInBrowserTest {

    private static final String TYPE = """
            const area = document.getElementById("text");
            area.value = area.value.replace(arguments[0], arguments[1]);
            area.dispatchEvent(new Event("input", { bubbles: true }));
            """;

    @TempDir
    static Path directory;

    private static RunningService service;
    private static Browser browser;

    @BeforeAll
    static void open() {
        service = RunningService.firstStart(new DatabaseSettings("jdbc:h2:mem:editor-browser", null, null));
        browser = Browser.open(service.uri("/"), directory.resolve("profile"));
        browser.signIn(service.admin());
    }

    @AfterAll
    static void close() {
        browser.close();
        service.close();
    }

    @BeforeEach
    void openTheFirstRules() {
        browser.look(1280, Theme.LIGHT);
        browser.go("/services/orders/edit");
    }

    @Test
    void tellsOfTheShadowLineAsLongAsItIsThere() {
        assertThat(browser.find("[data-while-typed]").isDisplayed()).isTrue();

        browser.run(TYPE, "onExceeded: shadow", "");
        assertThat(browser.find("[data-while-typed]").isDisplayed()).isFalse();
    }

    @Test
    void takesBackWhatItFoundWhereTheServiceDoesNotAnswer() {
        assertThat(browser.find("#findings").getText()).contains("No mistakes found");

        browser.run("XMLHttpRequest.prototype.send = function () { this.dispatchEvent(new Event('error')); };");
        browser.run(TYPE, "20/s", "many");

        browser.await(() -> browser.find("#trouble").getText().contains("does not answer"));
        assertThat(browser.find("#findings").getText()).isEqualTo("This text is not checked yet.");
    }
}
