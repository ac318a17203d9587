package io.ratelimit.server.browser;

import io.ratelimit.server.browser.Browser.Theme;
import io.ratelimit.server.database.DatabaseSettings;
import io.ratelimit.server.web.ReportedTraffic;
import io.ratelimit.server.web.RunningService;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each page, in both themes, at the width of a desk and of a phone. */
@Tag("browser")
class PagesInBrowserTest {

    private static final String RULES = """
            # The limits of the orders API.
            service: orders
            clients: [user, "header:X-Api-Key", ip]
            rules:
              - name: everyone
                match: { path: [/api/orders/**, /api/reports/**] }
                limits: [2/s burst 10, 300/h]
                overrides:
                  - { when: { attributes: { tier: gold } }, limits: [20/s burst 100, 10000/h] }
              - name: login
                match: { path: /login, methods: [POST] }
                key: [user, ip]
                limits: 5 per 15m
                charge: { when: response, status: [401, 403] }
            """;

    private static final List<String> PAGES = List.of(
            "/",
            "/new-service",
            "/services/orders",
            "/services/orders/edit",
            "/services/orders/new-rule",
            "/services/orders/rules/everyone",
            "/services/orders/history",
            "/services/orders/versions/1",
            "/services/orders/versions/2",
            "/services/orders/explain?path=/api/orders/7&user=alice&times=12",
            "/services/orders/replay",
            "/services/orders/traffic",
            "/tokens",
            "/tokens/1/revoke",
            "/audit");

    @TempDir
    static Path directory;

    private static RunningService service;
    private static Browser browser;

    @BeforeAll
    static void open() {
        service = RunningService.firstStart(new DatabaseSettings("jdbc:h2:mem:pages", null, null));
        service.publish("orders", RULES);
        service.publish("orders", RULES.replace("300/h", "400/h"));
        new ReportedTraffic("orders-7d9f8b6c5-x2x4z/1a4fd0c0")
                .error("http://127.0.0.1:8600/v1/services/orders/rules: cannot connect")
                .counts("everyone", 1_234_567, 89_012, 0)
                .refused("everyone", "ip=2001:db8:85a3:0:0:8a2e:370:7334", 89_012)
                .requests(30, "/api/orders/7", "alice")
                .send(service, "orders", service.token("hosts", "host", "orders"));
        browser = Browser.open(service.uri("/"), directory.resolve("profile"));
    }

    @AfterAll
    static void close() {
        browser.close();
        service.close();
    }

    @Test
    void showsWhereToSignIn() {
        for (Theme theme : Theme.values()) {
            browser.look(1280, theme);
            browser.go("/sign-in");
            browser.requireSound("/sign-in, " + theme);
        }
    }

    @ParameterizedTest
    @CsvSource({"1280, LIGHT", "1280, DARK", "390, LIGHT", "390, DARK"})
    void showsEachPageSoundly(int width, Theme theme) throws Exception {
        browser.look(width, theme);
        browser.signIn(service.admin());
        for (String page : PAGES) {
            browser.go(page);
            Files.write(
                    shots().resolve(page.replaceAll("[^a-z0-9]", "_") + "-" + width + "-" + theme + ".png"),
                    browser.screenshot());
            browser.requireSound(page + ", " + width + " px, " + theme);
            browser.requireNothingCut(page + ", " + width + " px");
        }
    }

    private static Path shots() throws Exception {
        return Files.createDirectories(Path.of("target", "screenshots"));
    }
}
