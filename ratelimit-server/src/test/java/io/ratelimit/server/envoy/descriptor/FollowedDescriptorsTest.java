package io.ratelimit.server.envoy.descriptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.rules.RulesException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FollowedDescriptorsTest {

    private final ManualTimeSource time = new ManualTimeSource();

    @TempDir
    Path directory;

    @Test
    void aFileOrADirectoryIsRead() throws Exception {
        Path file = write("shop.yaml", "domain: shop");
        write("bank.yml", "domain: bank");
        write("notes.txt", "no descriptors");
        write(".hidden.yaml", "no descriptors");
        Files.createDirectory(directory.resolve("dir.yaml"));

        assertThat(read(file).get().size()).isEqualTo(1);
        assertThat(read(directory).get().size()).isEqualTo(2);
    }

    @Test
    void aChangeIsTakenWhenTwoLooksFoundTheSame() throws Exception {
        Path file = write("shop.yaml", "domain: shop");
        FollowedDescriptors followed = read(directory);

        write("shop.yaml", "domain: half");
        followed.look();
        write("shop.yaml", "domain: changed");
        followed.look();
        assertThat(followed.get().domain("shop")).isPresent();
        followed.look();
        assertThat(followed.get().domain("changed")).isPresent();

        write("more.yaml", "domain: more");
        Files.delete(file);
        followed.look();
        followed.look();
        assertThat(followed.get().domain("more")).isPresent();
        assertThat(followed.get().domain("changed")).isEmpty();
    }

    @Test
    void aBadChangeLeavesInForceWhatWas() throws Exception {
        write("shop.yaml", "domain: shop");
        FollowedDescriptors followed = read(directory);
        DescriptorSet before = followed.get();

        write("shop.yaml", "domian: shop");
        followed.look();
        followed.look();
        followed.look();
        assertThat(followed.get()).isSameAs(before);
        assertThat(followed.status().refused()).isTrue();
        assertThat(followed.status().lastFailure().reasons())
                .satisfiesExactly(
                        first -> assertThat(first).contains("shop.yaml:1:1", "did you mean 'domain'?"),
                        second -> assertThat(second).contains("the field 'domain' is missing"));

        write("shop.yaml", "domain: shop");
        followed.look();
        assertThat(followed.status().refused()).isFalse();
        assertThat(followed.status().lastFailure()).isNotNull();
        assertThat(followed.get()).isSameAs(before);
    }

    @Test
    void aBadChangeIsReadAgainOnlyWhenItHasChanged() throws Exception {
        write("shop.yaml", "domain: shop");
        AtomicInteger read = new AtomicInteger();
        FollowedDescriptors followed = FollowedDescriptors.read(
                directory,
                new DescriptorsParser((rule, service, version) -> {
                    read.incrementAndGet();
                    return LimitedByDescriptors.LIMITS.limited(rule, service, version);
                }),
                time);
        String wrong = "domain: shop\ndescriptors: [{ key: k, rate_limit: { unit: day, requests_per_unit: 1 } }, 5]";

        write("shop.yaml", wrong);
        look(followed, 5);
        assertThat(read).hasValue(1);
        write("shop.yaml", wrong + "\n");
        look(followed, 5);
        assertThat(read).hasValue(2);
        assertThat(followed.status().refused()).isTrue();
    }

    @Test
    void aMistakeThatComesBackIsTroubleAgain() throws Exception {
        Path file = write("shop.yaml", "domain: shop");
        FollowedDescriptors followed = read(directory);

        write("shop.yaml", "domian: shop");
        look(followed, 2);
        write("shop.yaml", "domain: shop");
        look(followed, 2);
        assertThat(followed.status().refused()).isFalse();
        write("shop.yaml", "domian: shop");
        look(followed, 2);
        assertThat(followed.status().refused()).isTrue();

        Files.delete(file);
        look(followed, 2);
        write("shop.yaml", "domian: shop");
        look(followed, 2);
        assertThat(followed.status().lastFailure().reasons()).first().asString().contains("did you mean 'domain'?");
    }

    private static void look(FollowedDescriptors followed, int times) {
        for (int i = 0; i < times; i++) {
            followed.look();
        }
    }

    @Test
    void filesThatVanishLeaveInForceWhatWas() throws Exception {
        Path file = write("shop.yaml", "domain: shop");
        FollowedDescriptors followed = read(directory);

        Files.delete(file);
        followed.look();
        followed.look();

        assertThat(followed.get().domain("shop")).isPresent();
        assertThat(followed.status().lastFailure().reasons())
                .singleElement()
                .asString()
                .contains("has no file whose name ends in .yaml or .yml");
    }

    @Test
    void aFileThatIsMissingWhileItIsReplacedIsNoTrouble() throws Exception {
        Path file = write("shop.yaml", "domain: shop");
        FollowedDescriptors followed = read(directory);

        Files.delete(file);
        followed.look();
        write("shop.yaml", "domain: changed");
        followed.look();
        followed.look();

        assertThat(followed.get().domain("changed")).isPresent();
        assertThat(followed.status().lastFailure()).isNull();
    }

    @Test
    void itIsToldSinceWhenDescriptorsAreInForce() throws Exception {
        write("shop.yaml", "domain: shop");
        FollowedDescriptors followed = read(directory);
        long first = time.currentTimeMillis();

        time.advance(Duration.ofMinutes(5));
        followed.look();
        assertThat(followed.status().since()).isEqualTo(Instant.ofEpochMilli(first));
        write("shop.yaml", "domain: changed");
        followed.look();
        followed.look();
        assertThat(followed.status().since())
                .isEqualTo(Instant.ofEpochMilli(first).plus(Duration.ofMinutes(5)));
    }

    @Test
    void versionsAreTimesOfModificationAndOnlyGrow() throws Exception {
        Path file = write("shop.yaml", "domain: shop");
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_600_000_000_000L));
        FollowedDescriptors followed = read(directory);
        assertThat(followed.get().version()).isEqualTo(1_600_000_000_000L);

        write("shop.yaml", "domain: older");
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_500_000_000_000L));
        followed.look();
        followed.look();

        assertThat(followed.get().domain("older")).isPresent();
        assertThat(followed.get().version()).isEqualTo(1_600_000_000_001L);
    }

    @Test
    void whatHasNoTimeIsAsOldAsThisHostKnowsIt() throws Exception {
        Path file = write("shop.yaml", "domain: shop");
        Files.setLastModifiedTime(file, FileTime.fromMillis(0));

        assertThat(read(file).get().version()).isEqualTo(time.currentTimeMillis());
    }

    @Test
    void aFileThatIsTouchedChangesNothing() throws Exception {
        Path file = write("shop.yaml", "domain: shop");
        FollowedDescriptors followed = read(file);
        DescriptorSet before = followed.get();

        Files.setLastModifiedTime(file, FileTime.fromMillis(2_000_000_000_000L));
        followed.look();
        followed.look();

        assertThat(followed.get()).isSameAs(before);
    }

    @Test
    void howManyDomainsAreInForceIsSaidInWords() throws Exception {
        write("shop.yaml", "domain: shop");
        assertThat(read(directory).get().sizeInWords()).isEqualTo("1 domain");
        write("bank.yaml", "domain: bank");
        assertThat(read(directory).get().sizeInWords()).isEqualTo("2 domains");
        assertThat(DescriptorSet.empty().sizeInWords()).isEqualTo("0 domains");
    }

    @Test
    void aBadPlaceRefusesToStart() throws Exception {
        write("bad.yaml", "domian: shop");

        assertThatThrownBy(() -> read(directory)).isInstanceOf(RulesException.class);
        assertThatThrownBy(() -> read(directory.resolve("missing.yaml")))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith("missing.yaml: does not exist: create the file, or correct the location of the"
                        + " descriptors");
        assertThatThrownBy(() -> read(Path.of("/dev/null")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(
                        "/dev/null: is a pipe, a device or a socket: descriptors are read from regular files only");
    }

    @Test
    void filesAreTooLargeTogetherToo() throws Exception {
        for (int i = 0; i < 5; i++) {
            write("file" + i + ".yaml", "domain: d" + i + "\n#" + "x".repeat((4 << 20) - 100));
        }

        assertThatThrownBy(() -> read(directory))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("larger than 16 MiB together");
    }

    @Test
    void mountedConfigurationIsFollowedThroughItsLinks() throws Exception {
        Path first = Files.createDirectory(directory.resolve("..first"));
        Path second = Files.createDirectory(directory.resolve("..second"));
        Files.writeString(first.resolve("shop.yaml"), "domain: first");
        Files.writeString(second.resolve("shop.yaml"), "domain: second");
        Path link = Files.createSymbolicLink(directory.resolve("..data"), first);
        Files.createSymbolicLink(directory.resolve("shop.yaml"), Path.of("..data", "shop.yaml"));
        FollowedDescriptors followed = read(directory);
        assertThat(followed.get().domain("first")).isPresent();

        Files.delete(link);
        Files.createSymbolicLink(link, second);
        followed.look();
        followed.look();

        assertThat(followed.get().domain("second")).isPresent();
    }

    @Test
    void changesReachAHostByThemselves() throws Exception {
        write("shop.yaml", "domain: shop");
        try (FollowedDescriptors followed =
                FollowedDescriptors.start(directory, new DescriptorsParser(LimitedByDescriptors.LIMITS), time)) {
            write("shop.yaml", "domain: changed");

            await().until(() -> followed.get().domain("changed").isPresent());
        }
    }

    private FollowedDescriptors read(Path place) throws Exception {
        return FollowedDescriptors.read(place, new DescriptorsParser(LimitedByDescriptors.LIMITS), time);
    }

    private Path write(String name, String content) throws IOException {
        return Files.writeString(directory.resolve(name), content);
    }
}
