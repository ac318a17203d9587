package io.ratelimit.server.daemon;

import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.http.HttpAnswers;
import io.ratelimit.server.document.FixedRules;
import io.ratelimit.server.envoy.EnvoyPort;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Server;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks for decisions before anybody else does. The first ones of a process load classes and would come too late for
 * callers, who let their requests pass then; a first refusal above all. The rules in force are only looked at; what passes,
 * is refused and is settled is so by rules of its own.
 */
final class WarmUp {

    private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);

    private static final long LONGEST_NANOS = Duration.ofSeconds(1).toNanos();
    private static final int LOOKS = 300;
    private static final int DECISIONS = 20;
    private static final FixedRules RULES = FixedRules.of("the daemon itself (to warm up; they limit nobody)", """
            service: warm-up
            rules:
              - name: warm-up
                key: ip
                limits: [1/h]
            """);
    private static final String LOOK =
            question("/v1/decide", "{\"user\":\"warm-up\",\"ip\":\"127.0.0.1\",\"look\":true}");
    private static final List<String> QUESTIONS = List.of(
            question("/v1/decide", "{\"ip\":\"127.0.0.1\",\"method\":\"GET\",\"path\":\"/\"}"),
            question("/v1/decide", "[{\"ip\":\"127.0.0.2\",\"method\":\"GET\",\"path\":\"/\"}]"),
            question("/v1/settle", "{\"receipt\":\"none\",\"outcome\":\"refund\"}"),
            "GET /v1/auth HTTP/1.1\r\nHost: warm-up\r\nX-Original-URI: /\r\nX-Real-IP: 127.0.0.3\r\n\r\n");

    private final HttpAnswers answers;

    /**
     * Prepares to ask.
     *
     * @param answers what clients are told their limits by
     */
    WarmUp(HttpAnswers answers) {
        this.answers = answers;
    }

    private static String question(String path, String body) {
        return "POST " + path + " HTTP/1.1\r\nHost: warm-up\r\nContent-Type: application/json\r\nContent-Length: "
                + body.getBytes(StandardCharsets.UTF_8).length + "\r\n\r\n" + body;
    }

    /**
     * Takes two seconds at most, and what a last look at a store that does not answer takes. Fails for nobody.
     *
     * @param routes the daemon's
     * @param decisions makes the routes of decisions by an engine
     * @param answersEnvoys whether the daemon answers Envoys as well
     */
    void run(Routes routes, Function<RateLimitEngine, Routes> decisions, boolean answersEnvoys) {
        ask(routes, List.of(LOOK), LOOKS);
        try (RateLimitEngine engine = RateLimitEngine.builder()
                .settings(Map.of("logRefusals", "0"))
                .rules(RULES)
                .build()) {
            engine.start();
            ask(decisions.apply(engine), QUESTIONS, DECISIONS);
            if (answersEnvoys) {
                EnvoyPort.warmUp(engine, answers);
            }
        } catch (RuntimeException e) {
            LOG.debug("The first decisions will be slow", e);
        }
    }

    private static void ask(Routes routes, List<String> questions, int times) {
        Server server = new Server();
        LocalConnector connector = new LocalConnector(server);
        server.addConnector(connector);
        try {
            server.setHandler(new FrontDoor(routes, new Doorkeeper(null, null), (path, status, begin) -> {}));
            server.start();
            long begin = System.nanoTime();
            for (int i = 0; i < times && System.nanoTime() - begin < LONGEST_NANOS; i++) {
                for (String question : questions) {
                    connector.getResponse(question);
                }
            }
        } catch (Exception e) {
            LOG.debug("The first decisions will be slow", e);
        } finally {
            stop(server);
        }
    }

    private static void stop(Server server) {
        try {
            server.stop();
        } catch (Exception e) {
            LOG.debug("It is not needed any more", e);
        }
    }
}
