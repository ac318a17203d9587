package io.ratelimit.server.envoy.descriptor;

import io.ratelimit.TimeSource;
import io.ratelimit.core.retrieve.DocumentVersion;
import io.ratelimit.core.rules.Printable;
import io.ratelimit.core.thread.DaemonThreads;
import io.ratelimit.rules.RuleProblem;
import io.ratelimit.rules.RulesException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Descriptor files that are looked at once a second. A change is taken when two looks in a row found the same, so that
 * files that are still being written are left alone; one that is wrong leaves in force what was, is logged once, and is
 * not read again until it changes.
 * Thread-safe.
 */
public final class FollowedDescriptors implements Supplier<DescriptorSet>, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(FollowedDescriptors.class);

    private static final long PAUSE_MILLIS = 1_000;

    private final DescriptorFiles files;
    private final DescriptorsParser parser;
    private final TimeSource time;
    private final ScheduledThreadPoolExecutor poll =
            new ScheduledThreadPoolExecutor(1, new DaemonThreads("descriptor-files"));
    private volatile DescriptorsStatus status;
    private String taken = "";
    private String seen = "";
    private String wrong = "";
    private String unreadable = "";
    private String told = "";

    private FollowedDescriptors(DescriptorFiles files, DescriptorsParser parser, TimeSource time) {
        this.files = files;
        this.parser = parser;
        this.time = time;
        this.status = new DescriptorsStatus(files.toString(), DescriptorSet.empty(), now(), false, null);
    }

    private Instant now() {
        return Instant.ofEpochMilli(time.currentTimeMillis());
    }

    /**
     * Reads the files and follows them from then on.
     *
     * @param place a file, or a directory with files whose names end in {@code .yaml} or {@code .yml}
     * @param parser reads them
     * @param time tells when a file of unknown age was first seen
     * @return the descriptors, to be closed
     * @throws IOException if a file cannot be read; the message names it and says what would help
     * @throws RulesException if anything is wrong in a file
     */
    public static FollowedDescriptors start(Path place, DescriptorsParser parser, TimeSource time)
            throws IOException, RulesException {
        FollowedDescriptors followed = read(place, parser, time);
        followed.poll.scheduleWithFixedDelay(followed::look, PAUSE_MILLIS, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        return followed;
    }

    /** Reads the files, to look at them when told to. */
    static FollowedDescriptors read(Path place, DescriptorsParser parser, TimeSource time)
            throws IOException, RulesException {
        FollowedDescriptors followed = new FollowedDescriptors(new DescriptorFiles(place), parser, time);
        followed.take(followed.files.look());
        return followed;
    }

    /**
     * The descriptors in force.
     *
     * @return the set that was read last without a mistake
     */
    @Override
    public DescriptorSet get() {
        return status.inForce();
    }

    /**
     * How things stand.
     *
     * @return what is in force, and what keeps the files from it
     */
    public DescriptorsStatus status() {
        return status;
    }

    /** Looks once. Nothing may leave it, or nobody would look again. */
    void look() {
        try {
            DescriptorFiles.Look look = files.look();
            if (look.digest().equals(taken)) {
                recovered();
            } else if (look.digest().equals(seen) && !look.digest().equals(wrong)) {
                takeOrRefuse(look);
            }
            seen = look.digest();
            unreadable = "";
        } catch (Throwable e) {
            unread(String.valueOf(e.getMessage()));
        }
    }

    private void takeOrRefuse(DescriptorFiles.Look look) {
        try {
            take(look);
            recovered();
        } catch (RulesException e) {
            wrong = look.digest();
            troubled(e.problems().stream().map(RuleProblem::toString).toList());
        }
    }

    /** While files take the place of others, some may be missing at one look: what two looks in a row found is trouble. */
    private void unread(String reason) {
        if (reason.equals(unreadable)) {
            wrong = "";
            troubled(List.of(reason));
        }
        unreadable = reason;
        seen = "";
    }

    private void take(DescriptorFiles.Look look) throws RulesException {
        long version = DocumentVersion.after(get().version(), look.modifiedMillis(), time);
        DescriptorSet set = parser.parse(look.files(), version);
        status = status.taken(set, now());
        taken = look.digest();
        LOG.info("The descriptors in {} are in force: {}, version {}", files, set.sizeInWords(), version);
    }

    private void troubled(List<String> reasons) {
        String all = String.join("; ", reasons);
        if (!all.equals(told)) {
            told = all;
            status = status.refused(new DescriptorsStatus.Failure(now(), reasons));
            LOG.error("The descriptors stay as they were: {}", Printable.escaped(all));
        }
    }

    private void recovered() {
        wrong = "";
        if (status.refused()) {
            told = "";
            status = status.mended();
            LOG.info("The descriptors in {} can be read again", files);
        }
    }

    /** Stops looking. What is in force stays. */
    @Override
    public void close() {
        poll.shutdownNow();
    }
}
