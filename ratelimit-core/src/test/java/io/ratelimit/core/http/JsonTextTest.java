package io.ratelimit.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import org.junit.jupiter.api.Test;

class JsonTextTest {

    @Test
    void nothingIsLeftBehindInTheThreadThatWritesIt() {
        assertThat(JsonText.JSON._getRecyclerPool()).isSameAs(JsonRecyclerPools.nonRecyclingPool());
    }
}
