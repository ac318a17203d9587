package io.ratelimit.core.retrieve;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpHeaders;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServiceLinksTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "</e>; rel=\"events\"",
                "</r>; rel=\"reports\", </e>; rel=\"events\"",
                "</a,b;c>; title=\"x, <y>; z\", </e>; title=\"a;b\"; REL=events; type=\"text/event-stream\"",
                " < /e > ;rel = \"first Events\" , </other>; rel=events"
            })
    void aLinkIsFoundByItsRelation(String links) {
        assertThat(links(links).target("events")).contains("/e");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "</e>",
                "</e>; rel=\"eventsource\"",
                "/e; rel=events",
                "<",
                "</e>; rel",
                "</e; rel=\"events\""
            })
    void whatIsNoSuchLinkIsNone(String links) {
        assertThat(links(links).target("events")).isEmpty();
    }

    @Test
    void severalLinesCountAsOne() {
        assertThat(links("</r>; rel=reports", "</e>; rel=events").target("events"))
                .contains("/e");
    }

    @Test
    void endlessLinksAreNotRead() {
        for (String piece : List.of("<", "</e>;", "\"", "</e>; rel=\"", "</e>; rel=x,", "\\\"")) {
            assertThat(links(piece.repeat(4096 / piece.length())).target("events"))
                    .isEmpty();
            assertThat(links(piece.repeat(1_000_000), "</e>; rel=events").target("events"))
                    .isEmpty();
        }
    }

    private static ServiceLinks links(String... lines) {
        return ServiceLinks.of(HttpHeaders.of(Map.of("Link", List.of(lines)), (name, value) -> true));
    }
}
