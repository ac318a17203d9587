package io.ratelimit.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.base.GeneratorBase;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import org.junit.jupiter.api.Test;

class JsonTextTest {

    @Test
    void nothingIsLeftBehindInTheThreadThatWritesIt() {
        String text = JsonText.of(json -> {
            assertThat(((GeneratorBase) json).ioContext().bufferRecycler())
                    .isNotSameAs(JsonRecyclerPools.threadLocalPool().acquireAndLinkPooled());
            json.writeBooleanField("written", true);
        });
        assertThat(text).isEqualTo("{\"written\":true}");
    }
}
