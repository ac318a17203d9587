package io.ratelimit.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressRangeTest {

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0, 8, 10.255.255.255, true",
        "10.0.0.0, 8, 11.0.0.0, false",
        "10.1.2.3, 8, 10.200.0.1, true",
        "192.0.2.128, 25, 192.0.2.127, false",
        "192.0.2.128, 25, 192.0.2.128, true",
        "192.0.2.7, 32, 192.0.2.7, true",
        "192.0.2.7, 32, 192.0.2.6, false",
        "192.0.2.6, 31, 192.0.2.7, true",
        "0.0.0.0, 0, 255.255.255.255, true",
        "128.0.0.0, 1, 127.255.255.255, false",
        "0.0.0.0, 1, 128.0.0.0, false",
        "2001:db8::, 33, 2001:db8:7fff::1, true",
        "2001:db8::, 33, 2001:db8:8000::1, false",
        "2001:db8::1, 128, 2001:db8::1, true",
        "::, 0, 192.0.2.1, false",
        "0.0.0.0, 0, 2001:db8::1, false",
        "192.0.2.0, 24, ::ffff:192.0.2.9, true",
    })
    void aRangeHoldsTheAddressesThatShareItsPrefix(String network, int prefix, String address, boolean contained)
            throws Exception {
        AddressRange range = new AddressRange(InetAddress.getByName(network), prefix);
        assertThat(range.contains(InetAddress.getByName(address))).isEqualTo(contained);
    }

    @ParameterizedTest
    @CsvSource({"192.0.2.0, -1, 32", "192.0.2.0, 33, 32", "2001:db8::, 129, 128"})
    void aPrefixLongerThanTheAddressIsRefused(String network, int prefix, int most) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new AddressRange(InetAddress.getByName(network), prefix))
                .withMessageContaining("between 0 and " + most)
                .withMessageContaining(Integer.toString(prefix));
    }

    @Test
    void aRangeReadsLikeTheRulesFile() throws Exception {
        assertThat(new AddressRange(InetAddress.getByName("192.0.2.0"), 24)).hasToString("192.0.2.0/24");
    }
}
