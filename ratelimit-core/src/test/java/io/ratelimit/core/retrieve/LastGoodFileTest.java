package io.ratelimit.core.retrieve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ratelimit.rules.RulesDocument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LastGoodFileTest {

    private static final String LOCATION = "http://rules:8080/v1/services/orders/rules";
    private static final Instant NOON = Instant.parse("2026-11-01T12:00:00Z");

    @TempDir
    Path directory;

    @Test
    void whatIsSavedIsLoadedWithItsVersionTagAndTime() throws Exception {
        LastGoodFile file = LastGoodFile.at(path());
        file.save(document("service: orders\n\nrules: []\n"), NOON);

        LastGoodFile.Kept kept = file.load(LOCATION).orElseThrow();

        assertThat(kept.document().content()).asString(UTF_8).isEqualTo("service: orders\n\nrules: []\n");
        assertThat(kept.document().tag()).isEqualTo("W/\"v 1\"");
        assertThat(kept.document().version()).isEqualTo(42);
        assertThat(kept.document().versionName()).isEqualTo("17");
        assertThat(kept.document().location()).isEqualTo(LOCATION);
        assertThat(kept.saved()).isEqualTo(NOON);
    }

    @Test
    void rulesWithoutANameOfTheirVersionAreKeptWithoutOne() throws Exception {
        LastGoodFile file = LastGoodFile.at(path());
        file.save(new RulesDocument(LOCATION, new byte[0], "tag", 42), NOON);

        assertThat(file.load(LOCATION).orElseThrow().document().versionName()).isNull();
    }

    @Test
    void aLaterSaveReplacesTheFileAndLeavesNothingBeside() throws Exception {
        LastGoodFile file = LastGoodFile.at(path());
        file.save(document("one"), NOON);
        file.save(document("two"), NOON.plusSeconds(1));

        assertThat(file.load(LOCATION).orElseThrow().document().content())
                .asString(UTF_8)
                .isEqualTo("two");
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).containsExactly(path());
        }
    }

    @Test
    void nothingSavedIsNothingLoaded() throws Exception {
        assertThat(LastGoodFile.at(path()).load(LOCATION)).isEmpty();
        assertThat(LastGoodFile.in(directory, LOCATION).load(LOCATION)).isEmpty();
    }

    @Test
    void anyDamagedByteIsNoticed() throws Exception {
        LastGoodFile file = LastGoodFile.at(path());
        file.save(document("service: orders"), NOON);
        byte[] good = Files.readAllBytes(path());
        for (int i = 0; i < good.length; i++) {
            if (good[i] == '\n') {
                continue;
            }
            byte[] bad = good.clone();
            bad[i] ^= 1;
            Files.write(path(), bad);
            assertThatThrownBy(() -> file.load(LOCATION))
                    .as("byte %d", i)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("is damaged");
        }
    }

    @Test
    void aCutFileIsNoticedWhereverItIsCut() throws Exception {
        LastGoodFile file = LastGoodFile.at(path());
        file.save(document("service: orders"), NOON);
        byte[] good = Files.readAllBytes(path());
        for (int length = 0; length < good.length; length++) {
            Files.write(path(), Arrays.copyOf(good, length));
            assertThatThrownBy(() -> file.load(LOCATION))
                    .as("length %d", length)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("is damaged");
        }
    }

    @Test
    void rulesOfAnotherLocationAreNotTaken() throws Exception {
        LastGoodFile file = LastGoodFile.at(path());
        file.save(document("one"), NOON);

        assertThatThrownBy(() -> file.load("http://other/rules"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("holds rules of " + LOCATION + ", not of http://other/rules");
    }

    @Test
    void theFileAndItsDirectoryAreTheOwnersAlone() throws Exception {
        LastGoodFile file = LastGoodFile.in(directory, LOCATION);
        file.save(document("one"), NOON);

        assertThat(permissions(file.path())).isEqualTo("rw-------");
        assertThat(permissions(file.path().getParent())).isEqualTo("rwx------");
        assertThat(file.path().getParent().getParent()).isEqualTo(directory);
        assertThat(file.load(LOCATION)).isPresent();
    }

    @Test
    void eachLocationHasADefaultFileOfItsOwn() {
        Path path = LastGoodFile.in(directory, LOCATION).path();

        assertThat(path.getFileName().toString()).startsWith("rules_8080_v1_services_orders_rules-");
        assertThat(LastGoodFile.in(directory, LOCATION + "/").path()).isNotEqualTo(path);
        assertThat(LastGoodFile.in(directory, LOCATION).path()).isEqualTo(path);
        assertThat(LastGoodFile.in(directory, "http://../../etc/passwd").path().getParent())
                .isEqualTo(path.getParent());
    }

    @Test
    void aPlantedLinkIsNeitherReadNorReplaced() throws Exception {
        Path victim = directory.resolve("victim");
        LastGoodFile.at(victim).save(document("one"), NOON);
        Files.createSymbolicLink(path(), victim);
        LastGoodFile file = LastGoodFile.at(path());

        assertThatThrownBy(() -> file.load(LOCATION)).hasMessageContaining("is a link");
        assertThatThrownBy(() -> file.save(document("two"), NOON)).hasMessageContaining("is a link");
        assertThat(Files.isSymbolicLink(path())).isTrue();
        assertThat(Files.readString(victim)).endsWith("one");
    }

    @Test
    void aPlantedLinkInPlaceOfTheDirectoryIsNotFollowed() throws Exception {
        LastGoodFile file = LastGoodFile.in(directory, LOCATION);
        Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
        Files.createSymbolicLink(file.path().getParent(), elsewhere);

        assertThatThrownBy(() -> file.save(document("one"), NOON)).hasMessageContaining("is a link");
        LastGoodFile.at(elsewhere.resolve(file.path().getFileName())).save(document("evil"), NOON);
        assertThatThrownBy(() -> file.load(LOCATION)).hasMessageContaining("is a link");
    }

    @Test
    void aFileThatOthersMayWriteIsNotTrusted() throws Exception {
        LastGoodFile file = LastGoodFile.at(path());
        file.save(document("one"), NOON);
        Files.setPosixFilePermissions(path(), PosixFilePermissions.fromString("rw-rw-rw-"));

        assertThatThrownBy(() -> file.load(LOCATION)).hasMessageContaining("may be written by other users");
        assertThatThrownBy(() -> file.save(document("two"), NOON)).hasMessageContaining("may be written");
    }

    @Test
    void aDefaultDirectoryThatOthersMayWriteIsNotTrusted() throws Exception {
        LastGoodFile file = LastGoodFile.in(directory, LOCATION);
        file.save(document("one"), NOON);
        Files.setPosixFilePermissions(file.path().getParent(), PosixFilePermissions.fromString("rwxrwxrwx"));

        assertThatThrownBy(() -> file.load(LOCATION)).hasMessageContaining("may be written by other users");
    }

    @Test
    void aFileOfSomebodyElseIsNeitherReadNorReplaced() throws Exception {
        LastGoodFile file = LastGoodFile.at(path());
        file.save(document("one"), NOON);
        giveAway(path());

        assertThatThrownBy(() -> file.load(LOCATION)).hasMessageContaining("belongs to");
        assertThatThrownBy(() -> file.save(document("two"), NOON)).hasMessageContaining("belongs to");
        assertThat(Files.readString(path())).endsWith("one");
    }

    @Test
    void aDirectoryOfSomebodyElseIsNotUsed() throws Exception {
        LastGoodFile file = LastGoodFile.in(directory, LOCATION);
        file.save(document("one"), NOON);
        giveAway(file.path().getParent());

        assertThatThrownBy(() -> file.load(LOCATION)).hasMessageContaining("belongs to");
        assertThatThrownBy(() -> file.save(document("two"), NOON)).hasMessageContaining("belongs to");
    }

    @Test
    void aMissingDirectoryIsNamed() {
        LastGoodFile file = LastGoodFile.at(directory.resolve("missing/rules.lastgood"));

        assertThatThrownBy(() -> file.save(document("one"), NOON))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is not a directory: create it");
    }

    private static void giveAway(Path path) {
        try {
            Files.setAttribute(path, "unix:uid", 12_345);
        } catch (IOException | UnsupportedOperationException e) {
            assumeTrue(false, "only the superuser gives files away");
        }
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private Path path() {
        return directory.resolve("rules.lastgood");
    }

    private static RulesDocument document(String content) {
        return new RulesDocument(LOCATION, content.getBytes(UTF_8), "W/\"v 1\"", 42, "17");
    }
}
