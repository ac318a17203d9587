package io.ratelimit.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import org.junit.jupiter.api.Test;

class ProblemTest {

    @Test
    void nothingIsLeftBehindInTheThreadThatWritesIt() {
        assertThat(Problem.JSON._getRecyclerPool()).isSameAs(JsonRecyclerPools.nonRecyclingPool());
    }
}
