package io.ratelimit.core.retrieve;

import io.ratelimit.RateLimitListener;
import io.ratelimit.TimeSource;
import io.ratelimit.core.retrieve.RulesStatus.Origin;
import io.ratelimit.rules.RuleSet;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.RulesException;
import io.ratelimit.rules.RulesSource;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One retrieval of the rules: asks the source, reads what it gives and hands it to the target. Whatever fails, the
 * rules in force stay, and nothing is thrown: a document that is refused is reported once and not read again until it
 * changes, a source that cannot be read is reported when that begins and when it ends.
 *
 * <p>{@link #run()} and {@link #close()} are called by one thread at a time; {@link #status()} by any.
 */
public final class RetrieveRulesTask implements Runnable, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RetrieveRulesTask.class);
    private static final String RULES = "rules";

    private final RulesSource source;
    private final RulesReader reader;
    private final RulesTarget target;
    private final @Nullable LastGoodFile lastGoodFile;
    private final RateLimitListener listener;
    private final TimeSource time;

    private volatile RulesStatus status = RulesStatus.NONE;
    private boolean started;
    private @Nullable RulesDocument last;
    private @Nullable RulesDocument inForce;
    private @Nullable RulesDocument refusedLast;
    private @Nullable String refusal;
    private boolean notSavedReported;
    private boolean listenerReported;

    /**
     * Makes a task; nothing is retrieved yet.
     *
     * @param source where rules come from; closed with the task
     * @param reader reads what the source gives
     * @param target takes what was read
     * @param lastGoodFile where the rules are kept for a start without the source, or null for nowhere
     * @param listener hears {@link RateLimitListener#onFailure failures} of kind {@code rules}: each failed retrieval,
     *     and once each refused document
     * @param time tells since when rules are in force, and the age of the last good file
     */
    public RetrieveRulesTask(
            RulesSource source,
            RulesReader reader,
            RulesTarget target,
            @Nullable LastGoodFile lastGoodFile,
            RateLimitListener listener,
            TimeSource time) {
        this.source = source;
        this.reader = reader;
        this.target = target;
        this.lastGoodFile = lastGoodFile;
        this.listener = listener;
        this.time = time;
    }

    /** Retrieves the rules once. Throws nothing; an interrupt ends the retrieval and is left for the caller to see. */
    @Override
    public void run() {
        try {
            retrieve();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            // An Error among them: the host must go on, and the next retrieval may well succeed.
            failedSafely(e);
        }
    }

    /**
     * How things stand.
     *
     * @return the status after the last retrieval
     */
    public RulesStatus status() {
        return status;
    }

    /** Closes the source. */
    @Override
    public void close() {
        try {
            source.close();
        } catch (RuntimeException e) {
            LOG.warn("The source of the rules could not be closed: {}", oneLine(e), e);
        }
    }

    private void retrieve() throws InterruptedException {
        if (started) {
            ask(null);
            return;
        }
        started = true;
        LastGoodFile.Kept kept = loadKept();
        last = kept == null ? null : kept.document();
        ask(kept);
        if (inForce == null && kept != null && refusedLast != kept.document()) {
            startFrom(kept);
        }
        if (inForce == null) {
            LOG.warn(
                    "This host starts WITHOUT RATE LIMITS and is not ready: there are no rules from {} and no last good"
                            + " ones. Every request passes until rules are retrieved",
                    source.location());
        }
    }

    private void ask(LastGoodFile.@Nullable Kept kept) throws InterruptedException {
        Optional<RulesDocument> answer;
        try {
            answer = source.retrieve(last);
        } catch (IOException | RuntimeException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw interrupted(e);
            }
            failed(e);
            return;
        }
        if (answer.isPresent()) {
            offer(answer.get());
        } else if (kept != null) {
            // The source itself says that it still has what was kept.
            accept(kept.document(), Origin.SOURCE);
        } else if (last == inForce) {
            confirm();
        }
        answered();
    }

    private void offer(RulesDocument document) {
        RulesDocument current = inForce;
        if (current != null && Arrays.equals(current.content(), document.content())) {
            last = document;
            if (refusal != null) {
                refusal = null;
                LOG.info("{} holds the rules in force again", document.location());
            }
            confirm();
        } else {
            accept(document, Origin.SOURCE);
        }
    }

    private void accept(RulesDocument document, Origin origin) {
        try {
            RuleSet rules = reader.read(document);
            target.replace(rules);
            enforced(document, rules, origin);
        } catch (RulesException | RuntimeException | StackOverflowError e) {
            // Other errors are not the document's fault: it is asked for again.
            refused(document, e);
        }
    }

    private void enforced(RulesDocument document, RuleSet rules, Origin origin) {
        last = document;
        inForce = document;
        refusal = null;
        status = new RulesStatus(origin, rules.version(), now(), null, status.failures());
        LOG.info(
                "Rules in force: version {} of service {} from {}, {} rules",
                rules.version(),
                oneLine(rules.service()),
                document.location(),
                rules.rules().size());
        if (origin == Origin.SOURCE) {
            save(document);
        }
    }

    private void refused(RulesDocument document, Throwable why) {
        last = document;
        refusedLast = document;
        String reason = why instanceof RulesException ? oneLine(why) : document.location() + ": " + oneLine(why);
        refusal = reason;
        String consequence = inForce == null ? "no rules are in force" : "those in force stay";
        if (why instanceof RulesException) {
            LOG.warn("Rules are refused, {}: {}", consequence, reason);
        } else {
            LOG.warn("Rules are refused, {}: {}", consequence, reason, why);
        }
        status = status.with(status.origin(), reason, status.failures());
        tell(why);
    }

    private void startFrom(LastGoodFile.Kept kept) {
        String error = status.error();
        RulesDocument answered = last;
        LOG.warn(
                "Starting from the LAST GOOD RULES of {}, saved {} ({} ago) in {}: the source gave none that are good",
                source.location(),
                kept.saved(),
                age(kept.saved()),
                lastGoodFile == null ? "" : lastGoodFile.path());
        accept(kept.document(), Origin.LAST_GOOD_FILE);
        // What the source gave, and what is wrong with it, is as it was before.
        last = answered;
        boolean refusedBefore = answered != kept.document();
        if (refusedBefore) {
            refusal = error;
        }
        if (refusedBefore || inForce != null) {
            status = status.with(status.origin(), error, status.failures());
        }
    }

    private void confirm() {
        if (status.origin() == Origin.LAST_GOOD_FILE) {
            LOG.info("The last good rules are what {} has", source.location());
        }
        status = status.with(inForce == null ? Origin.NONE : Origin.SOURCE, refusal, status.failures());
    }

    private void failed(Throwable why) {
        int failures = status.failures();
        String reason = oneLine(why);
        status = status.with(status.origin(), reason, failures == Integer.MAX_VALUE ? failures : failures + 1);
        if (failures > 0) {
            LOG.debug("Rules could still not be retrieved: {}", reason);
        } else if (why instanceof IOException) {
            LOG.warn("Rules cannot be retrieved, trying on: {}", reason);
        } else {
            LOG.warn("Rules cannot be retrieved from {}, trying on: {}", source.location(), reason, why);
        }
        tell(why);
    }

    private void answered() {
        if (status.failures() > 0) {
            LOG.info("Rules are retrieved again from {}, after {} failures", source.location(), status.failures());
            status = status.with(status.origin(), refusal, 0);
        }
    }

    private void failedSafely(Throwable why) {
        try {
            failed(why);
        } catch (Throwable e) {
            // Not even the report succeeds, memory is short perhaps: the next retrieval reports what is still wrong.
            return;
        }
    }

    private LastGoodFile.@Nullable Kept loadKept() {
        if (lastGoodFile == null) {
            return null;
        }
        try {
            return lastGoodFile.load(source.location()).orElse(null);
        } catch (IOException | RuntimeException e) {
            LOG.warn("The last good rules are ignored: {}", oneLine(e));
            tell(e);
            return null;
        }
    }

    private void save(RulesDocument document) {
        if (lastGoodFile == null) {
            return;
        }
        try {
            lastGoodFile.save(document, now());
            notSavedReported = false;
        } catch (IOException | RuntimeException e) {
            if (!notSavedReported && !Thread.currentThread().isInterrupted()) {
                notSavedReported = true;
                LOG.warn("The last good rules could not be kept in {}: {}", lastGoodFile.path(), oneLine(e));
                tell(e);
            }
        }
    }

    private void tell(Throwable why) {
        try {
            listener.onFailure(RULES, why);
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
            if (!listenerReported) {
                listenerReported = true;
                LOG.warn("A listener failed; this is reported once", e);
            }
        }
    }

    private Instant now() {
        return Instant.ofEpochMilli(time.currentTimeMillis());
    }

    private String age(Instant saved) {
        Duration age = Duration.between(saved, now());
        if (age.toDays() >= 2) {
            return age.toDays() + " days";
        }
        return age.toHours() >= 2
                ? age.toHours() + " hours"
                : age.toMinutes() >= 2 ? age.toMinutes() + " minutes" : age.toSeconds() + " seconds";
    }

    private static InterruptedException interrupted(Exception cause) {
        InterruptedException interrupted = new InterruptedException("interrupted while retrieving rules");
        interrupted.initCause(cause);
        return interrupted;
    }

    /** A message may quote what the document or the service says: it must stay one line of the log. */
    private static String oneLine(Throwable why) {
        String message = why.getMessage();
        boolean named = why instanceof RulesException || (why instanceof IOException && message != null);
        return oneLine(named ? String.valueOf(message) : String.valueOf(why));
    }

    private static String oneLine(String text) {
        return text.replaceAll("[\\p{Cntrl}\\u0085\\u2028\\u2029]+", " ");
    }
}
