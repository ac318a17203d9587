package io.ratelimit.server.daemon;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.server.envoy.descriptor.DescriptorSet;
import io.ratelimit.server.envoy.descriptor.DescriptorsStatus;
import io.ratelimit.server.envoy.descriptor.DescriptorsStatus.Failure;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class DescriptorsReportTest {

    private static final Instant START = Instant.parse("2026-11-30T10:00:00Z");

    private static String report(boolean refused, Failure failure, boolean isText) {
        DescriptorsStatus status =
                new DescriptorsStatus("/etc/descriptors", DescriptorSet.empty(), START, refused, failure);
        return new String(
                new DescriptorsReport(status)
                        .behind((isText ? "ready, UP\n" : "{\"ready\":true}").getBytes(UTF_8), isText),
                UTF_8);
    }

    @Test
    void whyFilesAreNotInForceIsTold() {
        Failure failure = new Failure(START.plusSeconds(60), List.of("shop.yaml:1:1: wrong", "\u0007"));

        assertThat(report(true, failure, true)).isEqualTo("""
                        ready, UP
                        descriptors: 0 domains, version 0 since 2026-11-30T10:00:00Z, from /etc/descriptors
                          NOT IN FORCE AS THEY ARE since 2026-11-30T10:01:00Z:
                            shop.yaml:1:1: wrong
                            \\u0007
                        """);
        assertThat(report(true, failure, false))
                .startsWith("{\"ready\":true,\"descriptors\":{\"source\":\"/etc/descriptors\",")
                .contains(
                        "\"refused\":true,\"lastFailure\":{\"at\":\"2026-11-30T10:01:00Z\",\"reasons\":[\"shop.yaml:1:1: wrong\"");
    }

    @Test
    void filesThatAreRefusedAreTroubleUntilTheyAreMended() {
        assertThat(trouble(true)).singleElement().asString().contains("refused", "/etc/descriptors");
        assertThat(trouble(false)).isEmpty();
    }

    private static List<String> trouble(boolean refused) {
        Failure failure = new Failure(START, List.of("wrong"));
        return new DescriptorsReport(
                        new DescriptorsStatus("/etc/descriptors", DescriptorSet.empty(), START, refused, failure))
                .trouble();
    }

    @Test
    void aFailureThatIsMendedIsToldAsSuch() {
        assertThat(report(false, new Failure(START, List.of("wrong")), true))
                .contains("  mended; refused last at 2026-11-30T10:00:00Z:\n    wrong\n");
    }

    @Test
    void ofManyMistakesTheFirstAreTold() {
        assertThat(new Failure(START, Collections.nCopies(1_000, "wrong")).reasons())
                .hasSize(10);
    }
}
