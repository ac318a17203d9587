package io.ratelimit.core.watch;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class RefusalLogTest {

    private final Logger logger = (Logger) LoggerFactory.getLogger(RefusalLog.NAME);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Deque<Runnable> seconds = new ArrayDeque<>();
    private final RefusalLog log = new RefusalLog(2, seconds::add);

    @BeforeEach
    void listen() {
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(lines);
        logger.setLevel(null);
    }

    private int wanted(int refusals) {
        int wanted = 0;
        for (int i = 0; i < refusals; i++) {
            wanted += log.wantsNext() ? 1 : 0;
        }
        return wanted;
    }

    @Test
    void whenASecondIsOverTheLogSaysHowManyHadNoLineAndTheNextHaveSomeAgain() {
        assertThat(wanted(7)).isEqualTo(2);
        seconds.remove().run();
        assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly("Refused 5 more within a second, without a line for each");
        assertThat(wanted(3)).isEqualTo(2);
        assertThat(seconds).hasSize(1);
    }

    @Test
    void aSecondWhoseRefusalsAllHadALineEndsInSilence() {
        assertThat(wanted(2)).isEqualTo(2);
        seconds.remove().run();
        assertThat(lines.list).isEmpty();
        assertThat(seconds).isEmpty();
    }

    @Test
    void aLogThatIsSwitchedOffCountsNothing() {
        logger.setLevel(Level.WARN);
        assertThat(wanted(5)).isZero();
        assertThat(seconds).isEmpty();
    }

    @Test
    void aTimerThatHasEndedKeepsNoLineBack() {
        RefusalLog ending = new RefusalLog(1, task -> {
            throw new RejectedExecutionException();
        });
        assertThat(ending.wantsNext()).isTrue();
        assertThat(ending.wantsNext()).isFalse();
    }
}
