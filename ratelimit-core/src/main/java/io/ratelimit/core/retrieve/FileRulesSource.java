package io.ratelimit.core.retrieve;

import com.google.common.hash.Hashing;
import io.ratelimit.TimeSource;
import io.ratelimit.rules.RulesDocument;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rules in a file, looked at by polling: notifications of the file system miss network mounts, container mounts and
 * swapped links. A change is taken when two looks in a row found the same, so that a file that is still being written
 * is left alone. Links are followed, for mounted configuration is swapped by them.
 */
final class FileRulesSource implements PolledRulesSource {

    private static final Logger LOG = LoggerFactory.getLogger(FileRulesSource.class);

    /** Between two looks. With the poll before and a third look, a change takes less than 2 s to be taken. */
    private static final Duration SETTLE = Duration.ofMillis(300);

    private static final int LOOKS_AFTER_A_CHANGE = 2;

    /** Up to this size the content is read at each look, so that no change hides behind an equal time and size. */
    private static final int SMALL = 64 << 10;

    /** A larger file whose time, size and identity are as before is read only at one look of so many. */
    private static final int LOOKS_PER_READ = 10;

    private final Path path;
    private final Pause pause;
    private final TimeSource time;
    private boolean looked;
    private @Nullable Stamp settled;
    private int looksSinceRead;

    FileRulesSource(Path path, Pause pause, TimeSource time) {
        // Not normalized: where a directory is a link, ".." leads elsewhere than its text says.
        this.path = path.toAbsolutePath();
        this.pause = pause;
        this.time = time;
    }

    @Override
    public String location() {
        return path.toString();
    }

    @Override
    public PollSchedule defaultSchedule() {
        return PollSchedule.files();
    }

    @Override
    public Optional<RulesDocument> retrieve(@Nullable RulesDocument last) throws IOException, InterruptedException {
        boolean first = !looked;
        looked = true;
        try {
            return first ? atOnce(last) : onceSettled(last);
        } catch (ClosedByInterruptException e) {
            Thread.interrupted();
            InterruptedException interrupted = new InterruptedException("interrupted while reading " + path);
            interrupted.initCause(e);
            throw interrupted;
        } catch (NoSuchFileException e) {
            throw new IOException(path + ": does not exist: create the file, or correct the location of the rules", e);
        } catch (AccessDeniedException e) {
            throw new IOException(
                    path + ": access is denied: let the user of this process (" + System.getProperty("user.name")
                            + ") read the file and pass its directories",
                    e);
        } catch (FileSystemException e) {
            throw new IOException(
                    path + ": cannot be read: " + e.getReason() + ": correct the location of the rules", e);
        }
    }

    private Optional<RulesDocument> atOnce(@Nullable RulesDocument last) throws IOException {
        Look look = look();
        return look.holds(last) ? Optional.empty() : Optional.of(document(look, last));
    }

    private Optional<RulesDocument> onceSettled(@Nullable RulesDocument last) throws IOException, InterruptedException {
        try {
            return changed(last);
        } catch (NoSuchFileException e) {
            // Some editors remove the file before they put the new one in place.
            pause.sleep(SETTLE);
            return changed(last);
        }
    }

    private Optional<RulesDocument> changed(@Nullable RulesDocument last) throws IOException, InterruptedException {
        if (last != null && seemsUnchanged()) {
            return Optional.empty();
        }
        Look look = look();
        for (int looks = 0; !look.holds(last); looks++) {
            if (looks == LOOKS_AFTER_A_CHANGE) {
                LOG.debug("{} is being written: left alone until the next poll", path);
                return Optional.empty();
            }
            pause.sleep(SETTLE);
            Look next = look();
            if (next.sameAs(look)) {
                return Optional.of(document(look, last));
            }
            look = next;
        }
        settled = look.stamp;
        return Optional.empty();
    }

    private boolean seemsUnchanged() throws IOException {
        Stamp stamp = stamp();
        looksSinceRead++;
        if (stamp.size > SMALL && stamp.equals(settled) && looksSinceRead < LOOKS_PER_READ) {
            return true;
        }
        looksSinceRead = 0;
        return false;
    }

    private RulesDocument document(Look look, @Nullable RulesDocument last) {
        settled = look.stamp;
        return new RulesDocument(
                location(),
                look.content,
                "sha256:" + Hashing.sha256().hashBytes(look.content),
                DocumentVersion.next(last, look.stamp.modified.toMillis(), time));
    }

    private Look look() throws IOException {
        // Before the file is opened: opening a pipe would wait for its writer.
        stamp();
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
                InputStream in = Channels.newInputStream(channel)) {
            byte[] content = in.readNBytes(ContentLimit.BYTES + 1);
            if (content.length > ContentLimit.BYTES) {
                throw ContentLimit.exceeded(location());
            }
            return new Look(stamp(), content);
        }
    }

    private Stamp stamp() throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
        if (attributes.isDirectory()) {
            throw new IOException(path + ": is a directory: name the rules file in it");
        }
        if (!attributes.isRegularFile()) {
            throw new IOException(path + ": is a pipe, a device or a socket: rules are read from regular files only");
        }
        if (attributes.size() > ContentLimit.BYTES) {
            throw ContentLimit.exceeded(location());
        }
        return new Stamp(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
    }

    /** What can be told without reading. */
    private record Stamp(
            FileTime modified, long size, @Nullable Object fileKey) {}

    /** What one look found. */
    private static final class Look {

        private final Stamp stamp;
        private final byte[] content;

        Look(Stamp stamp, byte[] content) {
            this.stamp = stamp;
            this.content = content;
        }

        boolean holds(@Nullable RulesDocument document) {
            return document != null && Arrays.equals(content, document.content());
        }

        boolean sameAs(Look other) {
            return stamp.equals(other.stamp) && Arrays.equals(content, other.content);
        }
    }
}
