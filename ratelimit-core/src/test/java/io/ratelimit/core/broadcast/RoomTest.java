package io.ratelimit.core.broadcast;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.retrieve.CapturedLog;
import org.junit.jupiter.api.Test;

class RoomTest {

    private final Room room = new Room(2, "Of more than {} nothing is told");

    @Test
    void thatItIsFullIsSaidOnce() {
        try (CapturedLog log = new CapturedLog(Room.class)) {
            assertThat(room.isFullAt(1)).isFalse();
            assertThat(log.warnings()).isEmpty();
            assertThat(room.isFullAt(2)).isTrue();
            assertThat(room.isFullAt(3)).isTrue();
            assertThat(log.warnings()).containsExactly("Of more than 2 nothing is told");
        }
    }

    @Test
    void itIsSaidAgainOnlyAfterThereWasRoom() {
        try (CapturedLog log = new CapturedLog(Room.class)) {
            room.isFullAt(2);
            room.leaves(2);
            room.isFullAt(2);
            assertThat(log.warnings()).hasSize(1);
            room.leaves(1);
            room.isFullAt(2);
            assertThat(log.warnings()).hasSize(2);
        }
    }
}
