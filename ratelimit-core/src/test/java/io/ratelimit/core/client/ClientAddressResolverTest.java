package io.ratelimit.core.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.net.InetAddresses;
import io.ratelimit.rules.AddressRange;
import io.ratelimit.rules.ClientAddressPolicy;
import io.ratelimit.rules.ClientAddressPolicy.ForwardingHeader;
import java.net.InetAddress;
import java.util.AbstractList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientAddressResolverTest {

    private static final String PROXY = "10.0.0.5";

    private final ClientAddressResolver resolver = resolver(ForwardingHeader.X_FORWARDED_FOR);
    private final ClientAddressResolver forwardedResolver = resolver(ForwardingHeader.FORWARDED);

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    192.0.2.7                 | 192.0.2.7
                    192.0.2.7:8080            | 192.0.2.7
                    ' 192.0.2.7 '             | 192.0.2.7
                    2001:db8::1               | 2001:db8::1
                    2001:DB8:0:0:0:0:0:1      | 2001:db8::1
                    [2001:db8::1]             | 2001:db8::1
                    [2001:db8::1]:443         | 2001:db8::1
                    fe80::1%eth0              | fe80::1
                    fe80:0:0:0:0:0:0:1%25     | fe80::1
                    [fe80::1%lo0.5]:443       | fe80::1
                    ::ffff:192.0.2.7          | 192.0.2.7
                    ::ffff:c000:207           | 192.0.2.7
                    [::ffff:192.0.2.7]:443    | 192.0.2.7
                    """)
    void aPeersAddressIsReadHoweverItIsWritten(String peer, String address) {
        assertThat(resolver.resolve(StubRequest.from(peer))).isEqualTo(address(address));
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(
            strings = {
                "",
                " ",
                "unknown",
                "localhost",
                "example.org",
                "/run/app.sock",
                "unix:",
                "@abstract",
                "192.0.2",
                "1",
                "3221225991",
                "0xC0000207",
                "192.0.2.256",
                "192.0.2.7.",
                "192.0.02.7",
                "192.0.2.7:",
                "192.0.2.7:x",
                "192.0.2.7:123456",
                "192.0.2.7%eth0",
                "[192.0.2.7]",
                "[2001:db8::1",
                "2001:db8::1]",
                "[2001:db8::1]x",
                "[2001:db8::1]:",
                "[]",
                "[",
                ":",
                "::1::",
                "2001:db8:::1",
                "%eth0",
                ":::::::::",
                "\u0661.2.3.4",
                "..."
            })
    void aPeerWithoutAnAddressHasNone(String peer) {
        assertThat(resolver.resolve(StubRequest.from(peer).header("X-Forwarded-For", "198.51.100.1")))
                .isNull();
    }

    @Test
    void withoutTrustedProxiesNoHeaderIsRead() {
        ClientAddressResolver trustsNobody = new ClientAddressResolver(ClientAddressPolicy.DEFAULT);
        StubRequest request = StubRequest.from(PROXY)
                .header("X-Forwarded-For", "198.51.100.1")
                .header("Forwarded", "for=198.51.100.1");
        assertThat(trustsNobody.resolve(request)).isEqualTo(address(PROXY));
    }

    @Test
    void thePeersOwnHeaderIsNotBelieved() {
        StubRequest request = StubRequest.from("203.0.113.50").header("X-Forwarded-For", "198.51.100.1");
        assertThat(resolver.resolve(request)).isEqualTo(address("203.0.113.50"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    198.51.100.9, 203.0.113.50                   | 203.0.113.50
                    198.51.100.9, 203.0.113.51, 10.0.0.7         | 203.0.113.51
                    198.51.100.9,203.0.113.51,10.0.0.7:99        | 203.0.113.51
                    198.51.100.9, [2001:db8::7]:1234, 10.0.0.7   | 2001:db8::7
                    evil, 2001:db8::7, ::ffff:10.0.0.7           | 2001:db8::7
                    203.0.113.51, fd00::7%eth1                   | 203.0.113.51
                    10.0.0.8, 10.0.0.7                           | 10.0.0.8
                    10.0.0.7                                     | 10.0.0.7
                    ''                                           | 10.0.0.5
                    ' '                                          | 10.0.0.5
                    unknown                                      | 10.0.0.5
                    not-an-ip                                    | 10.0.0.5
                    198.51.100.9, unknown                        | 10.0.0.5
                    198.51.100.9, unknown, 10.0.0.7              | 10.0.0.7
                    198.51.100.9, , 10.0.0.7                     | 10.0.0.7
                    198.51.100.9,                                | 10.0.0.5
                    , 203.0.113.50                               | 203.0.113.50
                    ,,,,                                         | 10.0.0.5
                    198.51.100.9, "203.0.113.50"                 | 10.0.0.5
                    198.51.100.9", 203.0.113.50                  | 203.0.113.50
                    198.51.100.9 203.0.113.50                    | 10.0.0.5
                    198.51.100.9; 203.0.113.50                   | 10.0.0.5
                    198.51.100.9, unix:                          | 10.0.0.5
                    198.51.100.9, 203.0.113.0/24                 | 10.0.0.5
                    for=203.0.113.50                             | 10.0.0.5
                    """)
    void onlyWhatTrustedHopsWroteCounts(String line, String address) {
        StubRequest request = StubRequest.from(PROXY).header("X-Forwarded-For", line);
        assertThat(resolver.resolve(request)).isEqualTo(address(address));
    }

    @Test
    void severalLinesAreOneList() {
        StubRequest request = StubRequest.from(PROXY)
                .header("X-Forwarded-For", "198.51.100.9", "198.51.100.8, 203.0.113.50", "10.0.0.7");
        assertThat(resolver.resolve(request)).isEqualTo(address("203.0.113.50"));
    }

    @Test
    void onlyTheConfiguredHeaderIsRead() {
        StubRequest request = StubRequest.from(PROXY)
                .header("X-Forwarded-For", "198.51.100.1")
                .header("Forwarded", "for=203.0.113.50");
        assertThat(resolver.resolve(request)).isEqualTo(address("198.51.100.1"));
        assertThat(forwardedResolver.resolve(request)).isEqualTo(address("203.0.113.50"));
    }

    @Test
    void aTrustedProxyWithoutTheHeaderIsTheClientItself() {
        assertThat(resolver.resolve(StubRequest.from(PROXY))).isEqualTo(address(PROXY));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    for=203.0.113.50                                        | 203.0.113.50
                    For="203.0.113.50:4711"                                 | 203.0.113.50
                    FOR="[2001:db8::7]:4711"                                | 2001:db8::7
                    for="[2001:db8::7]"                                     | 2001:db8::7
                    for="[2001:db8::7]:_port"                               | 2001:db8::7
                    proto=https;by=10.0.0.1;for=203.0.113.50;host=a         | 203.0.113.50
                    proto=https ; for = 203.0.113.50 ;                      | 203.0.113.50
                    for="203.0.113.5\\0"                                    | 203.0.113.50
                    for=198.51.100.9, for=203.0.113.50                      | 203.0.113.50
                    for=198.51.100.9, for=203.0.113.51, for="10.0.0.7:99"   | 203.0.113.51
                    for=203.0.113.50;host="a,for=198.51.100.9"              | 203.0.113.50
                    for=203.0.113.50;host="a;for=198.51.100.9"              | 203.0.113.50
                    for=203.0.113.50;host="a\\",for=198.51.100.9;b=\\""     | 203.0.113.50
                    for=203.0.113.50;host="a\\\\", for=10.0.0.7             | 203.0.113.50
                    for="198.51.100.9, for=203.0.113.50                     | 203.0.113.50
                    x="\\, for=203.0.113.50                                 | 203.0.113.50
                    for=198.51.100.9, for=unknown                           | 10.0.0.5
                    for=198.51.100.9, for=Unknown;proto=http                | 10.0.0.5
                    for=198.51.100.9, for=_hidden, for=10.0.0.7             | 10.0.0.7
                    for=198.51.100.9, for="_SEVKISEK:_x"                    | 10.0.0.5
                    for=198.51.100.9, proto=https                           | 10.0.0.5
                    for=203.0.113.50;for=198.51.100.9                       | 10.0.0.5
                    for=203.0.113.50;host=a;FOR=198.51.100.9                | 10.0.0.5
                    xfor=203.0.113.50                                       | 10.0.0.5
                    for                                                     | 10.0.0.5
                    for=                                                    | 10.0.0.5
                    for=""                                                  | 10.0.0.5
                    for="                                                   | 10.0.0.5
                    for="203.0.113.50                                       | 10.0.0.5
                    for="203.0.113.50"x                                     | 10.0.0.5
                    for="203.0.113.50""                                     | 10.0.0.5
                    for="203"".0.113.50"                                    | 10.0.0.5
                    203.0.113.50                                            | 10.0.0.5
                    for=198.51.100.9, , for=10.0.0.7                        | 10.0.0.7
                    for=10.0.0.8, for=10.0.0.7                              | 10.0.0.8
                    ``                                                      | 10.0.0.5
                    """)
    void theForwardedHeaderIsReadAsItsStandardSays(String line, String address) {
        StubRequest request = StubRequest.from(PROXY).header("Forwarded", line);
        assertThat(forwardedResolver.resolve(request)).isEqualTo(address(address));
    }

    @Test
    void severalForwardedLinesAreOneList() {
        StubRequest request = StubRequest.from(PROXY)
                .header("Forwarded", "for=\"198.51.100.9", "for=203.0.113.50;proto=https", "for=10.0.0.7");
        assertThat(forwardedResolver.resolve(request)).isEqualTo(address("203.0.113.50"));
    }

    @Test
    void noMoreThanFiftyTrustedHopsAreWalked() {
        String hops = "10.0.0.9, ".repeat(ClientAddressResolver.MOST_HOPS - 1) + "10.0.0.9";
        assertThat(resolver.resolve(forwardedFor("203.0.113.50, " + hops.substring("10.0.0.9, ".length()))))
                .isEqualTo(address("203.0.113.50"));
        assertThat(resolver.resolve(forwardedFor("203.0.113.50, " + hops))).isEqualTo(address("10.0.0.9"));
    }

    @Test
    void ofAHundredThousandHopsOnlyTheLastFewAreRead() {
        assertThat(resolver.resolve(forwardedFor("203.0.113.50," + "10.0.0.9,".repeat(100_000) + "10.0.0.9")))
                .isEqualTo(address("10.0.0.9"));
        CountingLines lines = new CountingLines(100_000, "10.0.0.9");
        assertThat(resolver.resolve(StubRequest.from(PROXY).headerLines("X-Forwarded-For", lines)))
                .isEqualTo(address("10.0.0.9"));
        assertThat(lines.reads).isLessThanOrEqualTo(2 * ClientAddressResolver.MOST_HOPS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", " ", "1", ":", "[", "\"", "\\", "\\\"", "%", ".", "for=\"", ";"})
    void anElementOfAnySizeIsUnreadable(String filling) {
        String huge = filling.repeat(1_000_000);
        assertThat(resolver.resolve(forwardedFor("198.51.100.9, " + huge))).isEqualTo(address(PROXY));
        StubRequest request = StubRequest.from(PROXY).header("Forwarded", "for=198.51.100.9, for=" + huge);
        assertThat(forwardedResolver.resolve(request)).isEqualTo(address(PROXY));
    }

    @Test
    void anElementIsReadForAThousandCharactersAndNotMuchFurther() {
        String padded = " ".repeat(1_000) + "203.0.113.50";
        assertThat(resolver.resolve(forwardedFor("198.51.100.9," + padded))).isEqualTo(address("203.0.113.50"));
        assertThat(resolver.resolve(forwardedFor("198.51.100.9," + " ".repeat(24) + padded)))
                .isEqualTo(address(PROXY));
    }

    private static StubRequest forwardedFor(String line) {
        return StubRequest.from(PROXY).header("X-Forwarded-For", line);
    }

    private static ClientAddressResolver resolver(ForwardingHeader header) {
        List<AddressRange> proxies =
                List.of(new AddressRange(address("10.0.0.0"), 8), new AddressRange(address("fd00::"), 9));
        return new ClientAddressResolver(new ClientAddressPolicy(proxies, header, 64));
    }

    private static InetAddress address(String literal) {
        return InetAddresses.forString(literal);
    }

    private static final class CountingLines extends AbstractList<String> {

        private final int size;
        private final String line;
        private int reads;

        CountingLines(int size, String line) {
            this.size = size;
            this.line = line;
        }

        @Override
        public String get(int index) {
            reads++;
            return line;
        }

        @Override
        public int size() {
            return size;
        }
    }
}
