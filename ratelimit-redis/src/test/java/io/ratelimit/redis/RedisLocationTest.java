package io.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisURI;
import io.lettuce.core.SslVerifyMode;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedisLocationTest {

    @Test
    void parametersOfTheUriAreTakenByAllNodes() {
        RedisLocation location = RedisLocation.parse(
                "rediss-cluster://app:p%3Fss@one:7000,two:7001?timeout=2s&clientName=orders&verifyPeer=ca");

        assertThat(location).hasToString("one:7000, two:7001");
        for (RedisURI uri : location.uris()) {
            assertThat(uri.getTimeout()).isEqualTo(Duration.ofSeconds(2));
            assertThat(uri.getClientName()).isEqualTo("orders");
            assertThat(uri.getVerifyMode()).isEqualTo(SslVerifyMode.CA);
            assertThat(uri.isSsl()).isTrue();
        }
    }

    @Test
    void parametersStandBeforeTheMasterThatSentinelIsAskedFor() {
        RedisURI uri = RedisLocation.parse("redis-sentinel://one:26379,two:26379?timeout=500ms#main")
                .uris()
                .get(0);

        assertThat(uri.getSentinelMasterId()).isEqualTo("main");
        assertThat(uri.getTimeout()).isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void ofAPasswordThatIsNotEncodedNothingIsTakenForAParameter() {
        assertThatThrownBy(() -> RedisLocation.parse("redis://app:p?xq#wo=rd@localhost:6379"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("xq")
                .hasMessageNotContaining("wo=rd");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "timeout=2",
                "timeout=",
                "timeout",
                "timeOut=2s",
                "tiemout=2s",
                "password=x",
                "verifyPeer=yes",
                "database=two",
                ""
            })
    void aParameterThatWouldBeOverlookedIsRefusedByItsName(String parameter) {
        assertThatThrownBy(() -> RedisLocation.parse("redis://app:secret@localhost:6379?clientName=a&" + parameter))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("setting redis has the parameter '" + parameter + "'")
                .hasMessageContaining("timeout=2s")
                .hasMessageNotContaining("secret");
    }
}
