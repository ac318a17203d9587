package io.ratelimit.core.retrieve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventParserTest {

    private final List<ServerEvent> events = new ArrayList<>();
    private final EventParser parser = new EventParser(events::add);

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r", "\r\n"})
    void anEventEndsAtAnEmptyLineHoweverLinesEndAndHoweverBytesCome(String end) throws IOException {
        String stream = String.join(
                end, ": alive", "id: 17", "event: published", "data: über", "data:x", "data", "", "data: 2", "", "");
        for (byte next : stream.getBytes(UTF_8)) {
            parser.read(ByteBuffer.wrap(new byte[] {next}));
        }

        assertThat(events).containsExactly(new ServerEvent("published", "über\nx\n"), new ServerEvent("message", "2"));
    }

    @Test
    void anEventWithoutDataOrWithoutItsEndIsNone() throws IOException {
        parser.read(bytes("event: published\n\n: alive\n\ndata: 1\n"));

        assertThat(events).isEmpty();
    }

    @Test
    void onlyTheEndOfALineIsASignOfLife() throws IOException {
        assertThat(parser.read(bytes(": ali"))).isFalse();
        assertThat(parser.read(bytes("ve\n"))).isTrue();
    }

    @Test
    void linesAndEventsHaveEightKibibytesAtMost() throws IOException {
        parser.read(bytes(":" + "x".repeat(8191) + "\n"));
        for (int i = 0; i < 100_000; i++) {
            parser.read(bytes(": alive\nevent: published\n"));
        }
        assertThatThrownBy(() -> parser.read(bytes("x".repeat(8193))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("8 KiB");
        assertThatThrownBy(() ->
                        new EventParser(events::add).read(bytes(("data: " + "x".repeat(999) + "\n").repeat(9))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("8 KiB");
    }

    @Test
    void aPublishedEventNamesTheTagOfTheRules() {
        assertThat(tag("published", "{\"version\":17,\"more\":[{\"tag\":1}],\"tag\":\"\\\"17-3fb2c1d0\\\"\"}"))
                .isEqualTo("\"17-3fb2c1d0\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "nonsense", "[]", "{\"tag\":1}", "{\"version\":17}", "{\"version\":17,", "{\"tag\":\"\\u12"})
    void anEventThatCannotBeReadNamesNone(String data) {
        assertThat(tag("published", data)).isEqualTo("none");
        assertThat(tag("message", "{\"tag\":\"t\"}")).isEqualTo("none");
    }

    private static String tag(String type, String data) {
        return new ServerEvent(type, data).publishedTag().orElse("none");
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(UTF_8));
    }
}
