package io.ratelimit.server.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.results.Rule;
import com.deque.html.axecore.selenium.AxeBuilder;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;

/** A real Chromium, without a window. */
final class Browser implements AutoCloseable {

    private static final int HEIGHT = 900;

    /** What sticks out of its page to the right, in words. */
    private static final String OVERFLOW = """
            const wide = document.documentElement.clientWidth;
            if (document.documentElement.scrollWidth <= wide) return [];
            return [...document.querySelectorAll('body *')]
              .filter(e => e.getBoundingClientRect().right > wide + 1)
              .map(e => e.tagName + '.' + e.className + ' ' + e.textContent.trim().slice(0, 40));
            """;

    /** Tables that are wider than their place. */
    private static final String CUT = """
            return [...document.querySelectorAll('.scroll')]
              .filter(e => e.scrollWidth > e.clientWidth + 1)
              .map(e => e.getAttribute('aria-label'));
            """;

    /** Texts of which one lies on another. */
    private static final String OVERLAP = """
            function isForReadersAlone(element) {
              for (let e = element; e; e = e.parentElement) {
                if (e.clientWidth <= 1 && e.clientHeight <= 1 && getComputedStyle(e).overflow === 'hidden') return true;
                if (getComputedStyle(e).clipPath !== 'none') return true;
              }
              return false;
            }
            const boxes = [];
            const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            while (walker.nextNode()) {
              const node = walker.currentNode;
              if (!node.textContent.trim() || !node.parentElement.checkVisibility()) continue;
              if (node.parentElement.closest('textarea, option, .skip, script, style')) continue;
              if (isForReadersAlone(node.parentElement)) continue;
              const range = document.createRange();
              range.selectNodeContents(node);
              for (const box of range.getClientRects()) {
                if (box.width > 1 && box.height > 1) boxes.push({ box, text: node.textContent.trim().slice(0, 40) });
              }
            }
            const found = [];
            for (let i = 0; i < boxes.length; i++) {
              for (let j = i + 1; j < boxes.length; j++) {
                const a = boxes[i].box, b = boxes[j].box;
                const x = Math.min(a.right, b.right) - Math.max(a.left, b.left);
                const y = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
                if (x > 2 && y > 4) found.push(boxes[i].text + ' | ' + boxes[j].text);
              }
            }
            return found;
            """;

    /** The themes that people have. */
    enum Theme {
        LIGHT,
        DARK
    }

    private final ChromeDriver driver;
    private final URI url;

    private Browser(ChromeDriver driver, URI url) {
        this.driver = driver;
        this.url = url;
    }

    static Browser open(URI url, Path profile) {
        ChromeOptions options = new ChromeOptions();
        options.setBinary("/usr/bin/chromium");
        options.addArguments(
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--user-data-dir=" + profile);
        options.setCapability("goog:loggingPrefs", Map.of("browser", "ALL"));
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(Path.of("/usr/bin/chromedriver").toFile())
                .build();
        return new Browser(new ChromeDriver(service, options), url);
    }

    void look(int width, Theme theme) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", HEIGHT, "deviceScaleFactor", 1, "mobile", width < 500));
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        List.of(Map.of(
                                "name",
                                "prefers-color-scheme",
                                "value",
                                theme.name().toLowerCase(Locale.ROOT)))));
    }

    void go(String path) {
        driver.get(url.resolve(path).toString());
    }

    void signIn(String token) {
        go("/sign-in");
        find("#token").sendKeys(token);
        find("form button[type=submit]").click();
        await(() -> !path().equals("/sign-in"));
    }

    String path() {
        return URI.create(driver.getCurrentUrl()).getPath();
    }

    WebElement find(String css) {
        return driver.findElement(By.cssSelector(css));
    }

    List<WebElement> all(String css) {
        return driver.findElements(By.cssSelector(css));
    }

    /** Follows the link of that text. */
    void click(String link) {
        driver.findElement(By.linkText(link)).click();
    }

    /** Presses the button of that text. */
    void press(String button) {
        driver.findElement(By.xpath("//button[normalize-space()='" + button + "']"))
                .click();
    }

    String text() {
        return find("main").getText();
    }

    /** A page may go away under a look at it. */
    void await(Callable<Boolean> condition) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .pollInterval(Duration.ofMillis(20))
                .ignoreExceptions()
                .until(condition);
    }

    Object run(String script, Object... arguments) {
        return driver.executeScript(script, arguments);
    }

    /** Nothing sticks out, nothing covers anything, nothing is hard to read or to reach, nothing has failed. */
    void requireSound(String what) {
        assertThat((List<?>) run(OVERFLOW)).as("sticks out of %s", what).isEmpty();
        assertThat((List<?>) run(OVERLAP)).as("covers something on %s", what).isEmpty();
        List<Rule> violations = new AxeBuilder()
                .withTags(List.of("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"))
                .analyze(driver)
                .getViolations();
        assertThat(violations).as("axe on %s", what).isEmpty();
        assertThat(driver.manage().logs().get(LogType.BROWSER).getAll())
                .as("console of %s", what)
                .extracting(LogEntry::getMessage)
                .isEmpty();
    }

    /** Tables show all that they have without being moved to the side. */
    void requireNothingCut(String what) {
        assertThat((List<?>) run(CUT)).as("cut on %s", what).isEmpty();
    }

    /** The whole page, with what is below the window. */
    byte[] screenshot() {
        Map<?, ?> size = (Map<?, ?>)
                driver.executeCdpCommand("Page.getLayoutMetrics", Map.of()).get("cssContentSize");
        Map<String, Object> all =
                Map.of("x", 0, "y", 0, "width", size.get("width"), "height", size.get("height"), "scale", 1);
        Object picture = driver.executeCdpCommand(
                        "Page.captureScreenshot", Map.of("captureBeyondViewport", true, "clip", all))
                .get("data");
        return Base64.getDecoder().decode((String) picture);
    }

    @Override
    public void close() {
        driver.quit();
    }
}
