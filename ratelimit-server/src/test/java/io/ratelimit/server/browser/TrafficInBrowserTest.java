package io.ratelimit.server.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.server.browser.Browser.Theme;
import io.ratelimit.server.database.DatabaseSettings;
import io.ratelimit.server.web.ReportedTraffic;
import io.ratelimit.server.web.RunningService;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the console's scripts do beyond what its pages do without. */
@Tag("browser")
class TrafficInBrowserTest {

    /** How many pixels of the first chart have a colour of the page, within what smoothing leaves of it. */
    private static final String PIXELS = """
            const wanted = getComputedStyle(document.documentElement).getPropertyValue(arguments[0]).trim();
            const [r, g, b] = [1, 3, 5].map(at => parseInt(wanted.slice(at, at + 2), 16));
            const chart = document.querySelector('[data-chart] canvas');
            const canvas = new OffscreenCanvas(chart.width, chart.height);
            const copy = canvas.getContext('2d', { willReadFrequently: true });
            copy.drawImage(chart, 0, 0);
            const data = copy.getImageData(0, 0, canvas.width, canvas.height).data;
            let found = 0;
            for (let i = 0; i < data.length; i += 4) {
              const far = Math.abs(data[i] - r) + Math.abs(data[i + 1] - g) + Math.abs(data[i + 2] - b);
              if (data[i + 3] > 200 && far < 30) found++;
            }
            return found;
            """;

    @TempDir
    static Path directory;

    private static RunningService service;
    private static Browser browser;
    private static String host;

    @BeforeAll
    static void open() {
        service = RunningService.firstStart(new DatabaseSettings("jdbc:h2:mem:traffic-browser", null, null));
        service.publish("orders", "service: orders\nrules:\n  - { name: everyone, limits: 10/s }\n");
        host = service.token("hosts", "host", "orders");
        report("app-1/aaaaaaaa", 900);
        browser = Browser.open(service.uri("/"), directory.resolve("profile"));
        browser.signIn(service.admin());
    }

    @AfterAll
    static void close() {
        browser.close();
        service.close();
    }

    private static void report(String name, int allowed) {
        new ReportedTraffic(name)
                .tag(service.get("/v1/services/orders/rules", host).header("ETag"))
                .counts("everyone", allowed, 300, 100)
                .refused("everyone", "user=alice", 300)
                .send(service, "orders", host);
    }

    @ParameterizedTest
    @CsvSource({"1280, LIGHT", "390, DARK"})
    void chartsAreDrawnInTheColoursOfTheTheme(int width, Theme theme) {
        browser.look(width, theme);
        browser.go("/services/orders/traffic");

        browser.await(() -> browser.all("[data-chart] canvas").size() == 2);
        browser.await(() -> pixels("--good") > 200 && pixels("--bad") > 20 && pixels("--warn") > 20);
        browser.requireSound("traffic with charts, " + width + " px, " + theme);
    }

    private static long pixels(String colour) {
        return ((Number) browser.run(PIXELS, colour)).longValue();
    }

    @Test
    void numbersFollowWhatHostsReport() {
        browser.look(1280, Theme.LIGHT);
        browser.go("/services/orders/traffic");
        assertThat(browser.find("#hosts").getText()).doesNotContain("app-2");

        report("app-2/bbbbbbbb", 50_000);

        browser.await(() -> browser.find("#hosts").getText().contains("app-2/bbbbbbbb")
                && browser.find("#rollout").getText().contains("All 2 hosts have version 1."));
        assertThat(browser.find("#minutes").getText()).contains("50,900");
        assertThat(browser.find("#rollout svg").getSize().getHeight()).isBetween(10, 40);
    }

    @Test
    void aRuleThatBeginsToDecideCanBeChosenWithoutLoadingThePageAgain() {
        browser.look(1280, Theme.LIGHT);
        browser.go("/services/orders/traffic");
        assertThat(browser.find("#rule").getText()).doesNotContain("late-comer");

        new ReportedTraffic("app-1/aaaaaaaa")
                .tag(service.get("/v1/services/orders/rules", host).header("ETag"))
                .counts("late-comer", 0, 3, 0)
                .send(service, "orders", host);

        browser.await(() -> browser.find("#rule").getText().contains("late-comer"));
    }

    @Test
    void thePageOfAServiceShowsItsRollOut() {
        browser.look(1280, Theme.LIGHT);
        browser.go("/services/orders");

        browser.await(() ->
                browser.text().contains("have version 1.") || browser.text().contains("has version 1."));
        browser.requireSound("the page of a service with its roll-out");
    }

    @Test
    void aNewTokenCanBeCopied() {
        browser.look(1280, Theme.LIGHT);
        browser.go("/tokens");
        browser.find("#name").sendKeys("carol");
        browser.find("#services").sendKeys("orders");
        browser.find("form[action='/tokens'] button").click();

        browser.await(() -> browser.find("#copy").isDisplayed());
        browser.requireSound("a new token");
        browser.find("#copy").click();
        browser.await(() -> browser.find("#copied").getText().contains("opied"));
    }
}
