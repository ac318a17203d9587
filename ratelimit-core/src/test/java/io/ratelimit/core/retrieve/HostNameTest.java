package io.ratelimit.core.retrieve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostNameTest {

    @Test
    void twoEnginesOfOneMachineDiffer() {
        HostName one = HostName.of("app-3");

        assertThat(one.toString()).matches("app-3/[0-9a-f]{8}").isEqualTo(one.toString());
        assertThat(HostName.of("app-3").toString()).isNotEqualTo(one.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "two words", "zürich", "line\r\nX-Evil: 1"})
    void aNameThatNoHeaderCanHoldIsRefused(String name) {
        assertThatIllegalArgumentException().isThrownBy(() -> HostName.of(name)).withMessageContaining("visible ASCII");
        assertThat(HostName.lookedUp(() -> name).toString()).startsWith("unknown/");
    }

    @Test
    void aNameOfMoreThanAHundredCharactersIsRefused() {
        assertThat(HostName.of("x".repeat(100)).toString()).hasSize(109);
        assertThatIllegalArgumentException().isThrownBy(() -> HostName.of("x".repeat(101)));
    }

    @Test
    void theMachineIsAskedOnceAndOnlyWhenItsNameIsWanted() {
        AtomicInteger asked = new AtomicInteger();
        HostName host = HostName.lookedUp(() -> "app-" + asked.incrementAndGet());

        assertThat(asked).hasValue(0);
        assertThat(host.toString()).startsWith("app-1/");
        assertThat(host.toString()).startsWith("app-1/");
    }

    @Test
    void aMachineWithoutANameIsUnknown() {
        assertThat(HostName.lookedUp(() -> {
                            throw new UnknownHostException("app-3");
                        })
                        .toString())
                .startsWith("unknown/");
    }

    @Test
    void aResolverThatHangsIsWaitedForHalfASecond() {
        CountDownLatch never = new CountDownLatch(1);
        HostName host = HostName.lookedUp(() -> {
            never.await();
            return "late";
        });
        long before = System.nanoTime();
        String name = host.toString();
        long after = System.nanoTime();
        never.countDown();

        assertThat(name).startsWith("unknown/");
        assertThat(Duration.ofNanos(after - before)).isLessThan(Duration.ofSeconds(2));
        assertThat(host.toString()).isEqualTo(name);
    }
}
