package io.ratelimit.server.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostReportReaderTest {

    private static final String WHOLE = """
            {"host":"app-3/9f12ab34","tag":"\\"17-3fb2c1d0\\"","origin":"SOURCE","since":1000,"error":null,
             "from":2000,"to":7000,
             "rules":[{"rule":"everyone","allowed":120,"refused":3,"shadow":0}],
             "refusedClients":[{"rule":"everyone","client":"user=alice","refused":3}],
             "share":0.25,
             "requests":[{"at":3000,"method":"GET","path":"/api/orders","operation":"list","user":"alice",
               "ip":"192.0.2.7","cost":2,"headers":{"X-Api-Key":["#0011223344556677"]},"cookies":{"sid":"#aa"},
               "attributes":{"tier":"gold"},"status":200,"millis":12,"refused":true},
              {"at":3001,"method":"GET","path":"/"}]}
            """;

    private static final String SMALL = """
            {"host":"app-3/9f12ab34","origin":"SOURCE","from":2000,"to":7000,"share":1,
             "rules":[{"rule":"everyone","allowed":1,"refused":2,"shadow":3}],
             "requests":[{"at":3000,"method":"GET","path":"/api/orders"}]}
            """;

    private final HostReportReader reader = new HostReportReader();

    @Test
    void readsAllThatAHostTells() {
        HostReport report = read(WHOLE);

        assertThat(report.host()).isEqualTo("app-3/9f12ab34");
        assertThat(report.tag()).isEqualTo("\"17-3fb2c1d0\"");
        assertThat(report.origin()).isEqualTo(HostReport.Origin.SOURCE);
        assertThat(report.since()).isEqualTo(1000);
        assertThat(report.rules()).containsExactly(new HostReport.RuleCounts("everyone", 120, 3, 0));
        assertThat(report.refusedClients()).containsExactly(new HostReport.RefusedClient("everyone", "user=alice", 3));
        assertThat(report.share()).isEqualTo(0.25);
        assertThat(report.requests())
                .containsExactly(
                        new RecordedRequest(
                                3000,
                                "GET",
                                "/api/orders",
                                "list",
                                "alice",
                                "192.0.2.7",
                                2L,
                                Map.of("x-api-key", List.of("#0011223344556677")),
                                Map.of("sid", "#aa"),
                                Map.of("tier", "gold"),
                                200,
                                12L,
                                true),
                        new RecordedRequest(
                                3001, "GET", "/", null, null, null, null, Map.of(), Map.of(), Map.of(), null, null,
                                false));
    }

    @Test
    void takesWhatIsAbsentForNone() {
        HostReport report = read("{\"host\":\"a/1\",\"origin\":\"NONE\",\"from\":1,\"to\":2,\"rules\":null}");

        assertThat(report.tag()).isNull();
        assertThat(report.rules()).isEmpty();
        assertThat(report.refusedClients()).isEmpty();
        assertThat(report.requests()).isEmpty();
        assertThat(report.share()).isZero();
    }

    @Test
    void passesOverFieldsOfNewerHosts() {
        assertThat(read(SMALL.replace("\"share\":1", "\"share\":1,\"weather\":{\"sun\":[1,2]}"))
                        .requests())
                .hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    "at":3000          | "at":-1                  | requests[0]: at
                    "at":3000          | "at":9223372036854775807 | requests[0]: at
                    "at":3000          | "at":99999999999999999999| requests[0].at
                    "at":3000          | "x":1                    | requests[0]: at
                    "to":7000          | "x":1                    | to is 0
                    "at":3000          | "at":3000.5              | requests[0].at
                    "at":3000          | "at":"3000"              | requests[0].at
                    "allowed":1        | "allowed":-1             | rules[0]: allowed
                    "refused":2        | "refused":1e99           | rules[0].refused
                    "rule":"everyone"  | "rule":null              | rules[0]: rule
                    "path":"/api/orders" | "path":null            | requests[0]: path
                    "path":"/api/orders" | "path":["/"]           | requests[0].path
                    "path":"/api/orders" | "path":"/","status":99 | requests[0]: status
                    "path":"/api/orders" | "path":"/","cost":-1   | requests[0]: cost
                    "path":"/api/orders" | "path":"/","millis":-1 | requests[0]: millis
                    "path":"/api/orders" | "path":"/","headers":{"a":[null]} | requests[0].headers
                    "origin":"SOURCE"  | "origin":"MOON"          | origin
                    "origin":"SOURCE"  | "origin":1               | origin
                    "origin":"SOURCE"  | "x":1                    | origin
                    "from":2000        | "from":7001              | from
                    "to":7000          | "to":-7000               | to
                    "share":1          | "share":1.5              | share
                    "share":1          | "share":-0.1             | share
                    "share":1          | "share":0                | share
                    "share":1          | "share":"NaN"            | share
                    "app-3/9f12ab34"   | "app 3"                  | host
                    "app-3/9f12ab34"   | ""                       | host
                    "app-3/9f12ab34"   | "äpp"                    | host
                    "app-3/9f12ab34"   | null                     | host
                    "share":1          | "share":1,"share":1      | share
                    """)
    void refusesABadValueAndNamesItsField(String good, String bad, String named) {
        assertThat(SMALL).contains(good);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(SMALL.replace(good, bad)))
                .withMessageContaining(named)
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(700).doesNotContain("\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "null", "[]", "{", "{} {}", "<html>", "3"})
    void refusesWhatIsNoReport(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> read(text));
    }

    @Test
    void cutsTextsThatClientsMakeLongSoThatTheReportStaysReadable() {
        String longer = "x".repeat(RecordedRequest.LONGEST_TEXT - 2) + "\uD83D\uDE00" + "tail";

        HostReport report = read(SMALL.replace("/api/orders", "/" + longer));

        assertThat(report.requests().get(0).path())
                .hasSize(RecordedRequest.LONGEST_TEXT - 1)
                .endsWith("x");
    }

    @Test
    void keepsControlCharactersAndMarkupAsTheyAre() {
        assertThat(read(SMALL.replace("/api/orders", "/<script>\\u0000\\r\\n"))
                        .requests()
                        .get(0)
                        .path())
                .isEqualTo("/<script>\u0000\r\n");
    }

    @Test
    void refusesMoreThanItsBounds() {
        String entries = "{\"rule\":\"r\",\"client\":\"c\",\"refused\":1},".repeat(1_000);
        String host = "{\"host\":\"a/1\",\"origin\":\"NONE\",\"from\":1,\"to\":2,\"refusedClients\":[";

        assertThat(read(host + entries.substring(0, entries.length() - 1) + "]}")
                        .refusedClients())
                .hasSize(1_000);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(host + entries + "{\"rule\":\"r\",\"client\":\"c\",\"refused\":1}]}"))
                .withMessageContaining("refusedClients has 1001 entries");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(SMALL.replace("everyone", "r".repeat(201))))
                .withMessageContaining("rule has 201 characters");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        read(SMALL.replace("{\"host\"", " ".repeat(HostReportReader.MOST_BYTES) + "{\"host\"")));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(SMALL.replace("\"share\":1", "\"x\":" + "[".repeat(5_000) + "]".repeat(5_000))));
    }

    @Test
    void putsAClockRightThatIsHoursOff() {
        long arrival = Duration.ofHours(3).toMillis();

        HostReport told = read(WHOLE).inTimeOf(arrival);

        assertThat(told.to()).isEqualTo(arrival);
        assertThat(told.from()).isEqualTo(arrival - 5000);
        assertThat(told.since()).isEqualTo(arrival - 6000);
        assertThat(told.requests()).extracting(RecordedRequest::at).containsExactly(arrival - 4000, arrival - 3999);
    }

    @Test
    void leavesAClockAloneThatIsNearlyRight() {
        HostReport report = read(WHOLE);

        assertThat(report.inTimeOf(7000 + 4900)).isSameAs(report);
    }

    private HostReport read(String json) {
        try {
            return reader.read(new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
