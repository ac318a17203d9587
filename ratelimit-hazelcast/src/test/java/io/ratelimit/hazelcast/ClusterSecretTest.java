package io.ratelimit.hazelcast;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import io.ratelimit.store.StoreException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ClusterSecretTest {

    @Test
    @Timeout(10)
    void aClusterThatIsFrozenDoesNotHoldUpTheStart() {
        CountDownLatch thaw = new CountDownLatch(1);
        IMap<String, byte[]> map = mock();
        when(map.putIfAbsent(any(), any())).thenAnswer(call -> {
            thaw.await(30, TimeUnit.SECONDS);
            return null;
        });
        HazelcastInstance instance = mock(HazelcastInstance.class);
        when(instance.<String, byte[]>getMap(ClusterSecret.MAP)).thenReturn(map);
        assertThatThrownBy(() -> new ClusterSecret(instance, null, Duration.ofMillis(10)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("secret");
        thaw.countDown();
    }
}
