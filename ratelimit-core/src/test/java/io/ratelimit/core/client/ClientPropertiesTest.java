package io.ratelimit.core.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.net.InetAddresses;
import io.ratelimit.ClientIdentifier;
import io.ratelimit.rules.AddressRange;
import io.ratelimit.rules.ClientAddressPolicy;
import io.ratelimit.rules.ClientAddressPolicy.ForwardingHeader;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

class ClientPropertiesTest {

    private static final InetAddress CLIENT = InetAddresses.forString("203.0.113.50");

    @Property
    void noLinesAndEntriesThatTheCallerChoosesChangeHisAddress(
            @ForAll("callersLines") List<String> callersLines,
            @ForAll @IntRange(min = 0, max = 3) int innerProxies,
            @ForAll boolean appended) {
        String hops = "203.0.113.50" + ", 10.0.0.9".repeat(innerProxies);
        assertThat(resolve(ForwardingHeader.X_FORWARDED_FOR, lines(callersLines, hops, appended)))
                .isEqualTo(CLIENT);
    }

    @Property
    void noForwardedElementsThatTheCallerChoosesChangeHisAddress(
            @ForAll("callersLines") List<String> callersLines,
            @ForAll @IntRange(min = 0, max = 3) int innerProxies,
            @ForAll boolean appended) {
        String hops = "for=203.0.113.50;host=\"a,b\"" + ", for=\"10.0.0.9:80\";proto=https".repeat(innerProxies);
        assertThat(resolve(ForwardingHeader.FORWARDED, lines(callersLines, hops, appended)))
                .isEqualTo(CLIENT);
    }

    @Property
    void noHeaderMakesTheResolverThrowOrAnswerNothing(
            @ForAll("callersLines") List<String> lines, @ForAll ForwardingHeader header) {
        assertThat(resolve(header, lines)).isNotNull();
    }

    @Property
    void noPeerMakesTheResolverThrow(@ForAll("callersText") String peer) {
        new ClientAddressResolver(ClientAddressPolicy.DEFAULT).resolve(StubRequest.from(peer));
    }

    @Property(tries = 3_000)
    void differentCompositesHaveDifferentCanonicalTexts(
            @ForAll("parts") List<List<String>> one, @ForAll("parts") List<List<String>> other) {
        assertThat(canonicalBytes(one).equals(canonicalBytes(other))).isEqualTo(one.equals(other));
    }

    @Provide
    Arbitrary<List<String>> callersLines() {
        return callersText().list().ofMaxSize(4);
    }

    @Provide
    Arbitrary<String> callersText() {
        Arbitrary<String> pieces = Arbitraries.of(
                "198.51.100.1",
                "10.0.0.1",
                "2001:db8::1",
                "[",
                "]",
                ":80",
                "%eth0",
                ",",
                ", ",
                "\"",
                "\\",
                ";",
                "=",
                "for=",
                "For=\"",
                "unknown",
                "_hidden",
                "host=\"",
                " ",
                "::ffff:10.0.0.1",
                "\uD800",
                "x".repeat(2_000));
        return pieces.list().ofMaxSize(8).map(chosen -> String.join("", chosen));
    }

    /** Few characters, so that texts of different composites often look alike. */
    @Provide
    Arbitrary<List<List<String>>> parts() {
        Arbitrary<String> kinds = Arbitraries.of("a", "a1:", "1:a", "all:2:");
        Arbitrary<String> values = Arbitraries.strings()
                .withChars('a', '1', ':', '\uD800', '?')
                .ofMinLength(1)
                .ofMaxLength(3);
        Arbitrary<List<String>> part = Combinators.combine(kinds, values).as((kind, value) -> List.of(kind, value));
        return part.list().ofMinSize(1).ofMaxSize(3);
    }

    private static String canonicalBytes(List<List<String>> parts) {
        List<ClientIdentifier> built = new ArrayList<>();
        for (List<String> part : parts) {
            built.add(ClientIdentifier.of(part.get(0), part.get(1)));
        }
        return Arrays.toString(ClientIdentifier.composite(built).canonical().getBytes(StandardCharsets.UTF_8));
    }

    private static List<String> lines(List<String> callersLines, String hops, boolean appended) {
        List<String> lines = new ArrayList<>(callersLines);
        if (appended && !lines.isEmpty()) {
            int last = lines.size() - 1;
            lines.set(last, lines.get(last) + ", " + hops);
        } else {
            lines.add(hops);
        }
        return lines;
    }

    private static InetAddress resolve(ForwardingHeader header, List<String> lines) {
        List<AddressRange> proxies = List.of(new AddressRange(InetAddresses.forString("10.0.0.0"), 8));
        return new ClientAddressResolver(new ClientAddressPolicy(proxies, header, 64))
                .resolve(StubRequest.from("10.0.0.5").headerLines(header.headerName(), lines));
    }
}
