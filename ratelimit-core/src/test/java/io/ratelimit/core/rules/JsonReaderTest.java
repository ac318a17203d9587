package io.ratelimit.core.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import org.junit.jupiter.api.Test;

class JsonReaderTest {

    @Test
    void nothingIsLeftBehindInTheThreadThatReads() {
        assertThat(new JsonReader(new DocumentKind("rules document", "rules", "rules:")).factory._getRecyclerPool())
                .isSameAs(JsonRecyclerPools.nonRecyclingPool());
    }
}
