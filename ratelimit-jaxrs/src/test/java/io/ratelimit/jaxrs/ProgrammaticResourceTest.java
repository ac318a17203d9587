package io.ratelimit.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.ratelimit.core.RateLimitEngine;
import jakarta.ws.rs.core.Application;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Resources that Jersey is told of by its own interfaces. */
class ProgrammaticResourceTest {

    @Test
    void annotationsAndRulesHoldAndNothingIsReportedAsIgnored() throws Exception {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        Logger logger = (Logger) LoggerFactory.getLogger(RateLimitFeature.class);
        logger.addAppender(log);
        RateLimitEngine engine = TestEngine.with("- { name: path, match: { path: /built/lambda }, limits: [1/m] }");
        Application application = ProgrammaticResources.application(new RateLimitFeature(engine));
        try (Served app = Served.at("/", "/*", application, engine, handler -> {})) {
            for (String path : new String[] {"greeting", "lambda", "method"}) {
                assertThat(app.statuses(2, "/built/" + path)).as(path).containsExactly(200, 429);
            }
        } finally {
            logger.detachAppender(log);
        }
        assertThat(log.list).filteredOn(event -> event.getLevel() == Level.WARN).isEmpty();
    }
}
