package io.ratelimit.core.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.ClientIdentifier;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;

class ClientKindTest {

    private final ClientKinds kinds = new ClientKinds();

    private void assertSameClient(String kind, String value) {
        assertThat(kinds.of(kind).fingerprint(value))
                .isEqualTo(kinds.fingerprint(ClientIdentifier.of(kind, value)))
                .isEqualTo(kinds.fingerprint(kinds.of(kind).client(value)));
    }

    @Property
    void aValueAndItsIdentifierAreTheSameClient(
            @ForAll @StringLength(min = 1, max = 100) String value,
            @ForAll @StringLength(max = 40) @CharRange(from = ' ', to = 'ÿ') String kind) {
        assertSameClient(kind, value);
    }

    @Property
    void soAreTheyInLatin1(@ForAll @StringLength(min = 1, max = 70) @CharRange(from = '\0', to = 'ÿ') String value) {
        assertSameClient("header:x-api-key", value);
    }

    @Example
    void soAreTheyForKindsAndValuesOfAnyLength() {
        for (int length = 1; length <= 5_000; length += length < 100 ? 1 : 97) {
            assertSameClient("user", "x".repeat(length));
            assertSameClient("k".repeat(length), "x");
            assertSameClient("вид", "x".repeat(length));
        }
    }

    @Example
    void kindsKeepEqualValuesApart() {
        assertThat(kinds.of("user").fingerprint("alice"))
                .isNotEqualTo(kinds.of("header:x-user").fingerprint("alice"));
    }

    @Example
    void theServiceIsOneClientWhateverTheValue() {
        ClientKind service = kinds.only(ClientIdentifier.SERVICE);
        assertThat(service.fingerprint("a"))
                .isEqualTo(service.fingerprint("b"))
                .isEqualTo(kinds.fingerprint(ClientIdentifier.SERVICE));
        assertThat(service.client("a")).isSameAs(ClientIdentifier.SERVICE);
    }
}
