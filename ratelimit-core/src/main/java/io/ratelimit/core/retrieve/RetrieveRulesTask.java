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
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One retrieval of the rules: asks the source, reads what it gives and hands it to the target. Whatever fails, the
 * rules in force stay, and nothing is thrown: a document that is refused is reported once and not read again until it
 * changes, a source that cannot be read is reported when that begins and when it ends.
 *
 * <p>{@link #run()} is called by one thread at a time; {@link #close()} and {@link #status()} by any.
 */
public final class RetrieveRulesTask implements Runnable, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RetrieveRulesTask.class);

    private final RulesSource source;
    private final RulesReader reader;
    private final RulesTarget target;
    private final KeptRules keptRules;
    private final RateLimitListener listener;
    private final TimeSource time;

    private volatile RulesStatus status = RulesStatus.NONE;
    private boolean started;
    private @Nullable RulesDocument last;
    private volatile @Nullable RulesDocument inForce;
    private @Nullable RulesDocument lastRefused;
    private Trouble refusal = Trouble.NONE;
    private volatile Runnable changed = () -> {};

    /**
     * Makes a task; nothing is retrieved yet.
     *
     * @param source where rules come from; closed with the task
     * @param reader reads what the source gives
     * @param target takes what was read
     * @param lastGoodFile where the rules are kept for a start without the source, or null for nowhere
     * @param listener hears {@link RateLimitListener#onFailure failures} of kind {@code rules}: each failed retrieval,
     *     and once each refused document; does not throw
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
        this.listener = listener;
        this.keptRules = new KeptRules(lastGoodFile, listener);
        this.time = time;
    }

    /** Retrieves the rules once. Throws nothing; an interrupt ends the retrieval and is left for the caller to see. */
    @Override
    public void run() {
        RulesStatus before = status;
        try {
            retrieve();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            // An Error among them: the host must go on, and the next retrieval may well succeed.
            failedSafely(e);
        }
        if (!Objects.equals(status.since(), before.since()) || !Objects.equals(status.error(), before.error())) {
            changed.run();
        }
    }

    /**
     * Wants to be told when other rules are in force, or something else is wrong than before.
     *
     * @param told called after such a retrieval, on its thread; returns at once and throws nothing
     */
    public void onChange(Runnable told) {
        changed = told;
    }

    /**
     * What the source recognises the rules in force by.
     *
     * @return the tag of their document, such as an ETag; null where there are none
     */
    public @Nullable String tagInForce() {
        RulesDocument document = inForce;
        return document == null ? null : document.tag();
    }

    /**
     * The document of the rules in force.
     *
     * @return the document, empty where there are no rules
     */
    public Optional<RulesDocument> documentInForce() {
        return Optional.ofNullable(inForce);
    }

    /**
     * How things stand.
     *
     * @return the status after the last retrieval
     */
    public RulesStatus status() {
        return source instanceof RulesService service ? status.with(service.push()) : status;
    }

    /** Lets a source that can tell of changes do so, by waking whoever runs this task. Called before the first run. */
    void onNews(Runnable wake) {
        if (source instanceof RulesService service) {
            service.onNews(wake);
        }
    }

    /** Closes the source. */
    @Override
    public void close() {
        try {
            source.close();
        } catch (Throwable e) {
            LOG.warn("The source of the rules could not be closed: {}", OneLine.of(e), e);
        }
    }

    private void retrieve() throws InterruptedException {
        if (started) {
            ask(null);
            return;
        }
        LastGoodFile.Kept kept = keptRules.load(source.location()).orElse(null);
        last = kept == null ? null : kept.document();
        ask(kept);
        if (inForce == null && kept != null && lastRefused != kept.document()) {
            startFrom(kept);
        }
        // Only now, so that a first retrieval that was interrupted is made up for.
        started = true;
        if (inForce == null) {
            LOG.warn(
                    "This host starts WITHOUT RATE LIMITS and is not ready: there are no good rules from {} and no last"
                            + " good ones. Every request passes until rules are retrieved",
                    source.location());
        }
    }

    private void ask(LastGoodFile.@Nullable Kept kept) throws InterruptedException {
        try {
            Optional<RulesDocument> answer =
                    source instanceof RulesService service ? service.retrieve(last, inForce) : source.retrieve(last);
            if (answer.isPresent()) {
                offer(answer.get());
            } else if (kept != null) {
                // The source itself says that it still has what was kept.
                accept(kept.document(), Origin.SOURCE);
            } else if (last == inForce) {
                confirm();
            }
            answered();
        } catch (InterruptedException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw interrupted(e);
            }
            failed(e);
        } catch (Throwable e) {
            failed(e);
        }
    }

    private void offer(RulesDocument document) {
        if (sameContent(lastRefused, document)) {
            last = document;
        } else if (sameContent(inForce, document) && sameName(inForce, document)) {
            last = document;
            if (!refusal.equals(Trouble.NONE)) {
                refusal = Trouble.NONE;
                lastRefused = null;
                LOG.info("{} holds the rules in force again", document.location());
            }
            confirm();
        } else {
            accept(document, Origin.SOURCE);
        }
    }

    private static boolean sameContent(@Nullable RulesDocument known, RulesDocument document) {
        return known != null && Arrays.equals(known.content(), document.content());
    }

    /** The same rules published anew are a new version, which all hosts name alike. */
    private static boolean sameName(@Nullable RulesDocument known, RulesDocument document) {
        return known != null && Objects.equals(known.versionName(), document.versionName());
    }

    private void accept(RulesDocument document, Origin origin) {
        RuleSet rules;
        try {
            rules = reader.read(document);
            target.replace(rules);
        } catch (RulesException | RuntimeException | StackOverflowError e) {
            // Other errors are not the document's fault: it is asked for again.
            refused(document, e);
            return;
        }
        enforced(document, rules, origin);
    }

    private void enforced(RulesDocument document, RuleSet rules, Origin origin) {
        last = document;
        inForce = document;
        refusal = Trouble.NONE;
        lastRefused = null;
        status = new RulesStatus(
                origin,
                rules.version(),
                document.versionName(),
                now(),
                null,
                status.failures(),
                List.of(),
                status.push());
        LOG.info(
                "Rules in force: version {} of service {} from {}, {} rules",
                status.versionText(),
                OneLine.of(rules.service()),
                document.location(),
                rules.rules().size());
        if (origin == Origin.SOURCE) {
            keptRules.save(document, now());
        }
    }

    private void refused(RulesDocument document, Throwable why) {
        last = document;
        lastRefused = document;
        String reason = why instanceof RulesException ? OneLine.of(why) : document.location() + ": " + OneLine.of(why);
        refusal = Trouble.refused(reason, why);
        String consequence = inForce == null ? "no rules are in force" : "those in force stay";
        if (why instanceof RulesException) {
            LOG.warn("Rules are refused, {}: {}", consequence, reason);
        } else {
            LOG.warn("Rules are refused, {}: {}", consequence, reason, why);
        }
        status = status.with(status.origin(), status.failures(), refusal);
        listener.onFailure("rules", why);
    }

    private void startFrom(LastGoodFile.Kept kept) {
        Trouble before = status.trouble();
        RulesDocument answered = last;
        LOG.warn(
                "Starting from the LAST GOOD RULES of {}, kept since {} ({}): the source gave none that are good",
                source.location(),
                kept.saved(),
                age(kept.saved()));
        accept(kept.document(), Origin.LAST_GOOD_FILE);
        // What the source gave, and what is wrong with it, is as it was before.
        last = answered;
        boolean refusedBefore = answered != kept.document();
        if (refusedBefore) {
            refusal = before;
            lastRefused = answered;
        }
        if (refusedBefore || inForce != null) {
            status = status.with(status.origin(), status.failures(), before);
        }
    }

    private void confirm() {
        if (status.origin() == Origin.LAST_GOOD_FILE) {
            LOG.info("The last good rules are what {} has", source.location());
        }
        status = status.with(inForce == null ? Origin.NONE : Origin.SOURCE, status.failures(), refusal);
    }

    private void failed(Throwable why) {
        int before = status.failures();
        String message = OneLine.of(why);
        String reason = message.contains(source.location()) ? message : source.location() + ": " + message;
        int failures = before == Integer.MAX_VALUE ? before : before + 1;
        status = status.with(status.origin(), failures, Trouble.unread(reason));
        if (before > 0) {
            LOG.debug("Rules could still not be retrieved: {}", reason);
        } else if (why instanceof IOException) {
            LOG.warn("Rules cannot be retrieved, trying on: {}", reason);
        } else {
            LOG.warn("Rules cannot be retrieved, trying on: {}", reason, why);
        }
        listener.onFailure("rules", why);
    }

    private void answered() {
        if (status.failures() > 0) {
            LOG.info("Rules are retrieved again from {}, after {} failures", source.location(), status.failures());
            status = status.with(status.origin(), 0, refusal);
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

    private Instant now() {
        return Instant.ofEpochMilli(time.currentTimeMillis());
    }

    private String age(Instant saved) {
        Duration age = Duration.between(saved, now());
        if (age.isNegative()) {
            return "in the future: check the clock";
        }
        if (age.toDays() >= 2) {
            return age.toDays() + " days ago";
        }
        return age.toHours() >= 2 ? age.toHours() + " hours ago" : age.toMinutes() + " minutes ago";
    }

    private static InterruptedException interrupted(Exception cause) {
        InterruptedException interrupted = new InterruptedException("interrupted while retrieving rules");
        interrupted.initCause(cause);
        return interrupted;
    }
}
