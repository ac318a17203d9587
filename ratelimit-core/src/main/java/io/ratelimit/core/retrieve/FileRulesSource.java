package io.ratelimit.core.retrieve;

import com.google.common.hash.Hashing;
import io.ratelimit.TimeSource;
import io.ratelimit.core.retrieve.RegularFile.Look;
import io.ratelimit.core.retrieve.RegularFile.Stamp;
import io.ratelimit.rules.RulesDocument;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
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

    private final RegularFile file;
    private final Pause pause;
    private final TimeSource time;
    private boolean looked;
    private @Nullable Stamp settled;
    private int looksSinceRead;

    FileRulesSource(Path path, Pause pause, TimeSource time) {
        this.file = new RegularFile(path, "rules file", "rules");
        this.pause = pause;
        this.time = time;
    }

    @Override
    public String location() {
        return file.path().toString();
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
            InterruptedException interrupted = new InterruptedException("interrupted while reading " + location());
            interrupted.initCause(e);
            throw interrupted;
        } catch (FileSystemException e) {
            throw file.inWords(e);
        }
    }

    private Optional<RulesDocument> atOnce(@Nullable RulesDocument last) throws IOException {
        Look look = file.look();
        return holds(look, last) ? Optional.empty() : Optional.of(document(look, last));
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
        Look look = file.look();
        for (int looks = 0; !holds(look, last); looks++) {
            if (looks == LOOKS_AFTER_A_CHANGE) {
                LOG.debug("{} is being written: left alone until the next poll", location());
                return Optional.empty();
            }
            pause.sleep(SETTLE);
            Look next = file.look();
            if (next.sameAs(look)) {
                return Optional.of(document(look, last));
            }
            look = next;
        }
        settled = look.stamp();
        return Optional.empty();
    }

    private boolean seemsUnchanged() throws IOException {
        Stamp stamp = file.stamp();
        looksSinceRead++;
        if (stamp.size() > SMALL && stamp.equals(settled) && looksSinceRead < LOOKS_PER_READ) {
            return true;
        }
        looksSinceRead = 0;
        return false;
    }

    private RulesDocument document(Look look, @Nullable RulesDocument last) {
        settled = look.stamp();
        byte[] content = look.content();
        return new RulesDocument(
                location(),
                content,
                "sha256:" + Hashing.sha256().hashBytes(content),
                DocumentVersion.next(last, look.modifiedMillis(), time));
    }

    private static boolean holds(Look look, @Nullable RulesDocument document) {
        return document != null && look.holds(document.content());
    }
}
