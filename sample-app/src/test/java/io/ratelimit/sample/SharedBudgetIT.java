package io.ratelimit.sample;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedBudgetIT {

    @TempDir
    private Path directory;

    private SampleProcess sample;

    @BeforeEach
    void start() {
        sample = SampleProcess.start(
                        "--nodes",
                        "3",
                        "--port",
                        "" + FreePorts.consecutive(3),
                        "--member-port",
                        "" + FreePorts.consecutive(3),
                        "--rules",
                        SharedBudget.rules(directory).toString())
                .awaitReady();
    }

    @AfterEach
    void stop() {
        sample.close();
    }

    @Test
    void threeNodesGiveOneClientExactlyItsLimit() {
        new SharedBudget(sample.urls()).assertIsExactIn(3);
    }

    @Test
    @Tag("cluster")
    void threeNodesGiveOneClientExactlyItsLimitTimeAfterTime() {
        new SharedBudget(sample.urls()).assertIsExactIn(20);
    }
}
