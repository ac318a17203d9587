package io.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClientIdentifierTest {

    @Test
    void equalKindsAndValuesAreOneClient() {
        assertThat(ClientIdentifier.of("user", "alice"))
                .isEqualTo(ClientIdentifier.of("user", "alice"))
                .hasSameHashCodeAs(ClientIdentifier.of("user", "alice"));
    }

    @Test
    void aValueOfAnotherKindIsAnotherClient() {
        assertDiffer(ClientIdentifier.of("user", "x"), ClientIdentifier.of("header:x-user", "x"));
    }

    @Test
    void noCharacterMovesBetweenKindAndValue() {
        assertDiffer(ClientIdentifier.of("a", "1:bc"), ClientIdentifier.of("a1:b", "c"));
        assertDiffer(ClientIdentifier.of("cookie:a", "b=c"), ClientIdentifier.of("cookie:a=b", "c"));
    }

    @ParameterizedTest
    @ValueSource(strings = {":", "|", "/", ",", "_", "+", "1:", "4:user"})
    void noCharacterMovesBetweenTheParts(String separator) {
        assertDiffer(
                composite(user("a"), key("b" + separator + "c")), composite(user("a" + separator + "b"), key("c")));
    }

    @Test
    void theOrderOfPartsCounts() {
        assertDiffer(composite(user("a"), key("b")), composite(key("b"), user("a")));
    }

    @Test
    void aCompositeInsideACompositeIsNotFlattened() {
        ClientIdentifier left = composite(composite(user("a"), user("b")), user("c"));
        ClientIdentifier right = composite(user("a"), composite(user("b"), user("c")));
        assertDiffer(left, right);
        assertDiffer(left, composite(user("a"), user("b"), user("c")));
    }

    @Test
    void aCompositeIsTheSameWhetherOrNotItsPartsWereLookedAt() {
        ClientIdentifier looked = user("a");
        looked.canonical();
        assertThat(composite(looked, key("b"))).isEqualTo(composite(user("a"), key("b")));
    }

    @Test
    void aCompositeOfOnePartIsThatPart() {
        assertThat(composite(user("a"))).isEqualTo(user("a"));
    }

    @Test
    void aCompositeWithoutPartsIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> ClientIdentifier.composite(List.of()));
    }

    @Test
    void anEmptyValueIdentifiesNobody() {
        assertThatIllegalArgumentException().isThrownBy(() -> user("")).withMessageContaining("'user'");
    }

    @Test
    void noClientIsTheWholeService() {
        assertDiffer(ClientIdentifier.SERVICE, ClientIdentifier.of("service", "service"));
    }

    @Test
    void aLongValueMakesAShortKey() {
        assertThat(key("k".repeat(1_000_000)).canonical()).hasSizeLessThan(100);
        assertThat(composite(user("a"), key("k".repeat(1_000_000))).canonical()).hasSizeLessThan(150);
    }

    @Test
    void aValueOfMoreThan4096CharactersIsReplacedByItsDigest() {
        assertThat(key("k".repeat(4_096)).canonical()).contains("k".repeat(4_096));
        assertThat(key("k".repeat(4_097)).canonical()).hasSizeLessThan(100).doesNotContain("kkkk");
    }

    @Test
    void longValuesThatDifferInTheLastCharacterDiffer() {
        String start = "k".repeat(5_000);
        assertDiffer(key(start + "1"), key(start + "2"));
        assertThat(key(start)).isEqualTo(key("k".repeat(5_000)));
    }

    @Test
    void longValuesOfAnotherKindDiffer() {
        assertDiffer(user("k".repeat(5_000)), key("k".repeat(5_000)));
    }

    @Test
    void nobodyCanSpellTheDigestOfAnothersLongValue() {
        ClientIdentifier victim = ClientIdentifier.of("user", "k".repeat(5_000));
        String digest = victim.canonical();
        assertDiffer(victim, user(digest));
        assertDiffer(victim, user(digest.substring(digest.indexOf(':') + 1)));
    }

    @Test
    void loneSurrogatesNeitherMergeWithEachOtherNorWithTheirReplacement() {
        Set<String> bytes = new HashSet<>();
        List<String> values = List.of("a\uD800", "a\uD801", "a\uDC00", "a?", "a\uFFFD", "\uD800a", "a\uDC00\uD800");
        for (String value : values) {
            byte[] encoded = user(value).canonical().getBytes(StandardCharsets.UTF_8);
            bytes.add(new String(encoded, StandardCharsets.ISO_8859_1));
        }
        assertThat(bytes).hasSameSizeAs(values);
    }

    @Test
    void longValuesThatDifferInALoneSurrogateDiffer() {
        String start = "k".repeat(5_000);
        assertDiffer(key(start + "\uD800"), key(start + "\uD801"));
        assertDiffer(key(start + "\uD800"), key(start + "?"));
    }

    @Test
    void unusualTextIsComparedCharacterByCharacter() {
        List<String> values =
                List.of("\u00E9", "e\u0301", "E\u0301", "K", "\u212A", "\uD83D\uDE00", "a\u200B", "a", "a\u0000");
        Set<ClientIdentifier> clients = new HashSet<>();
        values.forEach(value -> clients.add(user(value)));
        assertThat(clients).hasSameSizeAs(values);
    }

    @Test
    void theLogShowsKindsButNoValues() {
        assertThat(composite(user("alice"), key("s3cret-key")).toString())
                .matches("user=#[0-9a-f]{8}\\+header:x-api-key=#[0-9a-f]{8}");
        assertThat(ClientIdentifier.SERVICE).hasToString("service");
    }

    @Test
    void theLogTellsClientsApart() {
        assertThat(user("alice").toString())
                .isEqualTo(user("alice").toString())
                .isNotEqualTo(user("bob").toString());
    }

    @Test
    void theLogCannotBeReversedByHashingGuesses() throws Exception {
        ClientIdentifier client = ClientIdentifier.of("ip", "192.0.2.7");
        for (String guess : List.of("192.0.2.7", client.canonical())) {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(guess.getBytes(StandardCharsets.UTF_8));
            String fingerprint = HexFormat.of().formatHex(digest, 0, 4);
            assertThat(client.toString()).doesNotContain(fingerprint);
        }
    }

    private static void assertDiffer(ClientIdentifier one, ClientIdentifier other) {
        assertThat(one).isNotEqualTo(other);
        assertThat(one.canonical()).isNotEqualTo(other.canonical());
    }

    private static ClientIdentifier user(String name) {
        return ClientIdentifier.of("user", name);
    }

    private static ClientIdentifier key(String value) {
        return ClientIdentifier.of("header:x-api-key", value);
    }

    private static ClientIdentifier composite(ClientIdentifier... parts) {
        return ClientIdentifier.composite(List.of(parts));
    }
}
