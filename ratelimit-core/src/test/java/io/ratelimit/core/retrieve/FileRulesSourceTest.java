package io.ratelimit.core.retrieve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.rules.RulesDocument;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class FileRulesSourceTest {

    private final ManualTimeSource time = new ManualTimeSource();
    private static final long NOON = 1_800_000_000_000L;

    @TempDir
    Path directory;

    /** What happens to the file while the source waits between two looks. */
    private final Deque<Step> duringPauses = new ArrayDeque<>();

    private final List<Duration> pauses = new ArrayList<>();

    @Test
    void theFirstLookTakesTheFileAtOnce() throws Exception {
        write("one", NOON);
        FileRulesSource source = source();

        RulesDocument document = source.retrieve(null).orElseThrow();

        assertThat(text(document)).isEqualTo("one");
        assertThat(document.version()).isEqualTo(NOON);
        assertThat(document.location()).isEqualTo(rules().toString());
        assertThat(pauses).isEmpty();
    }

    @Test
    void anUnchangedFileGivesNothingAndIsNotWaitedFor() throws Exception {
        write("one", NOON);
        FileRulesSource source = source();
        RulesDocument document = source.retrieve(null).orElseThrow();

        assertThat(source.retrieve(document)).isEmpty();
        write("one", NOON + 5_000);
        assertThat(source.retrieve(document)).isEmpty();
        assertThat(pauses).isEmpty();
    }

    @Test
    void aChangeIsTakenWhenTwoLooksAgree() throws Exception {
        write("one", NOON);
        FileRulesSource source = source();
        RulesDocument document = source.retrieve(null).orElseThrow();
        write("two", NOON + 5_000);

        RulesDocument changed = source.retrieve(document).orElseThrow();

        assertThat(text(changed)).isEqualTo("two");
        assertThat(changed.version()).isEqualTo(NOON + 5_000);
        assertThat(changed.tag()).isNotEqualTo(document.tag());
        assertThat(pauses)
                .hasSize(1)
                .allSatisfy(pause -> assertThat(pause).isBetween(Duration.ofMillis(250), Duration.ofMillis(500)));
    }

    @Test
    void aHalfWrittenFileIsNotTaken() throws Exception {
        write("one", NOON);
        FileRulesSource source = source();
        RulesDocument document = source.retrieve(null).orElseThrow();
        write("tw", NOON + 5_000);
        duringPauses.add(() -> write("two and", NOON + 5_100));
        duringPauses.add(() -> write("two and a half", NOON + 5_200));

        assertThat(source.retrieve(document)).isEmpty();
        assertThat(pauses).hasSize(2);
        assertThat(source.retrieve(document).map(FileRulesSourceTest::text)).contains("two and a half");
    }

    @Test
    void aFileThatSettlesAtTheThirdLookIsTakenInTheSamePoll() throws Exception {
        write("one", NOON);
        FileRulesSource source = source();
        RulesDocument document = source.retrieve(null).orElseThrow();
        write("", NOON + 5_000);
        duringPauses.add(() -> write("two", NOON + 5_100));

        assertThat(source.retrieve(document).map(FileRulesSourceTest::text)).contains("two");
    }

    @Test
    void anEditThatIsTakenBackBeforeItSettlesIsNoChange() throws Exception {
        write("one", NOON);
        FileRulesSource source = source();
        RulesDocument document = source.retrieve(null).orElseThrow();
        write("two", NOON + 5_000);
        duringPauses.add(() -> write("one", NOON + 5_100));

        assertThat(source.retrieve(document)).isEmpty();
    }

    @Test
    void aChangeWithinTheSameTickAndSizeIsSeenAndIsNewer() throws Exception {
        write("one", NOON);
        FileRulesSource source = source();
        RulesDocument document = source.retrieve(null).orElseThrow();
        write("two", NOON);

        RulesDocument changed = source.retrieve(document).orElseThrow();

        assertThat(text(changed)).isEqualTo("two");
        assertThat(changed.version()).isEqualTo(NOON + 1);
    }

    @Test
    void anOlderFileThatReplacesANewerOneIsNewer() throws Exception {
        write("one", NOON);
        FileRulesSource source = source();
        RulesDocument document = source.retrieve(null).orElseThrow();
        write("two", NOON - 86_400_000);

        assertThat(source.retrieve(document).orElseThrow().version()).isEqualTo(NOON + 1);
    }

    @Test
    void aHiddenChangeOfALargeFileIsSeenWithinTenPolls() throws Exception {
        write("a".repeat(100_000), NOON);
        FileRulesSource source = source();
        RulesDocument document = source.retrieve(null).orElseThrow();
        overwriteFirstByte('b', NOON);

        Optional<RulesDocument> changed = Optional.empty();
        for (int polls = 0; polls < 10 && changed.isEmpty(); polls++) {
            changed = source.retrieve(document);
        }

        assertThat(changed).isPresent();
    }

    @Test
    void anOpenChangeOfALargeFileIsSeenAtOnce() throws Exception {
        write("a".repeat(100_000), NOON);
        FileRulesSource source = source();
        RulesDocument document = source.retrieve(null).orElseThrow();
        assertThat(source.retrieve(document)).isEmpty();
        overwriteFirstByte('b', NOON + 1_000);

        assertThat(source.retrieve(document)).isPresent();
    }

    @Test
    void aFileRenamedIntoPlaceIsSeen() throws Exception {
        write("one", NOON);
        FileRulesSource source = source();
        RulesDocument document = source.retrieve(null).orElseThrow();
        Path edited = directory.resolve("edited");
        Files.writeString(edited, "two");
        Files.move(edited, rules(), StandardCopyOption.ATOMIC_MOVE);

        assertThat(source.retrieve(document).map(FileRulesSourceTest::text)).contains("two");
    }

    @Test
    void anEditorThatRemovesTheFileFirstIsWaitedFor() throws Exception {
        write("one", NOON);
        FileRulesSource source = source();
        RulesDocument document = source.retrieve(null).orElseThrow();
        Files.delete(rules());
        duringPauses.add(() -> write("two", NOON + 5_000));

        assertThat(source.retrieve(document).map(FileRulesSourceTest::text)).contains("two");
    }

    @Test
    void aSwappedLinkOfAMountedConfigurationIsSeen() throws Exception {
        Path first = Files.createDirectory(directory.resolve("..2026_1"));
        Path second = Files.createDirectory(directory.resolve("..2026_2"));
        Files.writeString(first.resolve("rules.yaml"), "one");
        Files.writeString(second.resolve("rules.yaml"), "two");
        Path data = Files.createSymbolicLink(directory.resolve("..data"), first.getFileName());
        Files.createSymbolicLink(rules(), Path.of("..data", "rules.yaml"));
        FileRulesSource source = source();
        RulesDocument document = source.retrieve(null).orElseThrow();
        Path swap = Files.createSymbolicLink(directory.resolve("..data_tmp"), second.getFileName());
        Files.move(swap, data, StandardCopyOption.ATOMIC_MOVE);

        assertThat(text(document)).isEqualTo("one");
        assertThat(source.retrieve(document).map(FileRulesSourceTest::text)).contains("two");
    }

    @Test
    void aMissingFileIsNamedAndFoundOnceItIsThereAndWhole() throws Exception {
        FileRulesSource source = source();

        assertThatThrownBy(() -> source.retrieve(null))
                .isInstanceOf(IOException.class)
                .hasMessage(rules() + ": does not exist: create the file, or correct the location of the rules");
        write("on", NOON);
        duringPauses.add(() -> write("one", NOON));
        assertThat(source.retrieve(null).map(FileRulesSourceTest::text)).contains("one");
    }

    @Test
    void aPathThroughAFileCannotBeRead() throws Exception {
        write("one", NOON);

        assertThatThrownBy(() -> new FileRulesSource(rules().resolve("x"), pauses::add, time).retrieve(null))
                .hasMessageContaining("cannot be read: Not a directory: correct the location");
    }

    @Test
    void aDirectoryIsNamed() {
        assertThatThrownBy(() -> new FileRulesSource(directory, pauses::add, time).retrieve(null))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is a directory: name the rules file in it");
    }

    @Test
    @Timeout(10)
    void aPipeIsRefusedInsteadOfWaitedFor() throws Exception {
        Process mkfifo = new ProcessBuilder("mkfifo", rules().toString()).start();
        assumeTrue(mkfifo.waitFor() == 0, "mkfifo");

        assertThatThrownBy(() -> source().retrieve(null))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("regular files only");
    }

    @Test
    void aDeviceIsRefused() {
        Path device = Path.of("/dev/zero");
        assumeTrue(Files.exists(device));

        assertThatThrownBy(() -> new FileRulesSource(device, pauses::add, time).retrieve(null))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("a device");
    }

    @Test
    void anUnreadableFileSaysForWhom() throws Exception {
        write("one", NOON);
        Files.setPosixFilePermissions(rules(), PosixFilePermissions.fromString("---------"));
        assumeTrue(!Files.isReadable(rules()), "not for the superuser");

        assertThatThrownBy(() -> source().retrieve(null))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("access is denied: let the user of this process (");
    }

    @Test
    void aHugeFileIsRefusedUnread() throws Exception {
        try (RandomAccessFile file = new RandomAccessFile(rules().toFile(), "rw")) {
            file.setLength(1L << 40);
        }

        assertThatThrownBy(() -> source().retrieve(null))
                .isInstanceOf(IOException.class)
                .hasMessage(rules() + ": is larger than 4 MiB, which no rules file is: check the location");
    }

    @Test
    void aFileOfExactlyTheGreatestSizeIsTaken() throws Exception {
        Files.write(rules(), new byte[ContentLimit.BYTES]);

        assertThat(source().retrieve(null)).isPresent();
    }

    @Test
    void anInterruptEndsTheReading() throws Exception {
        write("one", NOON);
        FileRulesSource source = source();
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> source.retrieve(null)).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void aTimeThatNoRulesWereWrittenAtCountsAsWhenThisHostFirstSawThem() throws Exception {
        write("one", 315_532_800_000L);
        FileRulesSource source = source();
        RulesDocument document = source.retrieve(null).orElseThrow();
        assertThat(document.version()).isEqualTo(time.currentTimeMillis());
        assertThat(source.retrieve(document)).isEmpty();
        write("two", 315_532_800_000L);
        assertThat(source.retrieve(document).orElseThrow().version()).isEqualTo(document.version() + 1);
    }

    private FileRulesSource source() {
        return new FileRulesSource(
                rules(),
                pause -> {
                    pauses.add(pause);
                    if (!duringPauses.isEmpty()) {
                        duringPauses.remove().run();
                    }
                },
                time);
    }

    private Path rules() {
        return directory.resolve("rules.yaml");
    }

    private void write(String text, long modified) {
        try {
            Files.writeString(rules(), text);
            Files.setLastModifiedTime(rules(), FileTime.fromMillis(modified));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void overwriteFirstByte(char first, long modified) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(rules().toFile(), "rw")) {
            file.write(first);
        }
        Files.setLastModifiedTime(rules(), FileTime.fromMillis(modified));
    }

    private static String text(RulesDocument document) {
        return new String(document.content(), StandardCharsets.UTF_8);
    }

    private interface Step {
        void run();
    }
}
