package io.ratelimit.server.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.ratelimit.core.ManualTimeSource;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class FleetTest {

    private final ManualTimeSource clock = new ManualTimeSource();
    private final Fleet fleet = new Fleet(clock, new SharedMemory(100 << 20));

    @Test
    void tellsWhichHostsRunTheRules() {
        fleet.polled("b/1", "17");
        fleet.polled("a/1", "16");
        fleet.polled("c/1", null);

        Rollout rollout = fleet.rollout("17");

        assertThat(rollout.hosts()).extracting(FleetHost::name).containsExactly("a/1", "b/1", "c/1");
        assertThat(rollout.hosts())
                .extracting(FleetHost::state)
                .containsExactly(FleetHost.State.OTHER, FleetHost.State.CURRENT, FleetHost.State.OTHER);
        assertThat(rollout.count(FleetHost.State.CURRENT)).isEqualTo(1);
        assertThat(rollout.count(FleetHost.State.OTHER)).isEqualTo(2);
        assertThat(rollout.isComplete()).isFalse();
    }

    @Test
    void isCompleteOnceAllThatAreHeardOfRunThem() {
        fleet.polled("old/1", "16");
        clock.advance(Fleet.SILENT);
        fleet.polled("a/1", "17");

        assertThat(fleet.rollout("17").isComplete()).isTrue();
        assertThat(fleet.rollout("18").isComplete()).isFalse();
    }

    @Test
    void keepsWhatAHostReportedWhileItPollsWithTheSameTag() {
        fleet.reported(Reports.of("a/1", "17"));
        clock.advance(Duration.ofSeconds(5));
        fleet.polled("a/1", "17");

        FleetHost host = fleet.rollout("17").hosts().get(0);
        assertThat(host.origin()).isEqualTo(HostReport.Origin.SOURCE);
        assertThat(host.since()).isEqualTo(Instant.ofEpochMilli(5));
        assertThat(host.lastSeen()).isEqualTo(Instant.ofEpochMilli(clock.currentTimeMillis()));

        fleet.polled("a/1", "18");

        FleetHost changed = fleet.rollout("17").hosts().get(0);
        assertThat(changed.error()).isNull();
        assertThat(changed.since()).isEqualTo(Instant.ofEpochMilli(clock.currentTimeMillis()));
    }

    @Test
    void anErrorIsOverOnceTheHostHasAskedAndHasTheRules() {
        fleet.reported(Reports.of("a/1", "17"));
        assertThat(fleet.rollout("17").hosts().get(0).error()).isEqualTo("unreadable");

        fleet.polled("a/1", "17");

        assertThat(fleet.rollout("17").hosts().get(0).error()).isNull();
        assertThat(fleet.rollout("18").hosts().get(0).error())
                .as("why it has not taken over others")
                .isEqualTo("unreadable");
        fleet.reported(Reports.of("a/1", "17"));
        assertThat(fleet.rollout("17").hosts().get(0).error()).isEqualTo("unreadable");
    }

    @Test
    void calledSilentAfterHalfAMinuteAndForgottenAfterAQuarterOfAnHour() {
        fleet.polled("a/1", "17");
        Instant seen = Instant.ofEpochMilli(clock.currentTimeMillis());

        clock.advance(Fleet.SILENT.minusNanos(1));
        assertThat(fleet.rollout("17").count(FleetHost.State.CURRENT)).isEqualTo(1);

        clock.advanceNanos(1);
        Rollout rollout = fleet.rollout("17");
        assertThat(rollout.count(FleetHost.State.SILENT)).isEqualTo(1);
        assertThat(rollout.hosts().get(0).lastSeen()).isEqualTo(seen);

        clock.advance(Fleet.FORGOTTEN.minus(Fleet.SILENT));
        assertThat(fleet.rollout("17").hosts()).isEmpty();
    }

    @Test
    void newcomersTakeThePlacesOfSilentHostsOnly() {
        for (int i = 0; i < Fleet.MOST_HOSTS; i++) {
            fleet.polled("host/" + i, "17");
        }
        fleet.polled("new/1", "17");
        assertThat(fleet.rollout("17").hosts()).extracting(FleetHost::name).doesNotContain("new/1");

        clock.advance(Fleet.SILENT);
        fleet.polled("host/0", "17");
        fleet.polled("new/1", "17");

        assertThat(fleet.rollout("17").hosts())
                .hasSize(Fleet.MOST_HOSTS)
                .extracting(FleetHost::name)
                .contains("new/1", "host/0")
                .doesNotContain("host/1");
    }

    @Test
    void refusesANameThatNoHeaderCouldHold() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> fleet.polled("a\nb", "17"))
                .withMessageContaining("host");
    }
}
