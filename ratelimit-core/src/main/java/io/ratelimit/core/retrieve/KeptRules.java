package io.ratelimit.core.retrieve;

import io.ratelimit.RateLimitListener;
import io.ratelimit.rules.RulesDocument;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The last good file, if there is one, with its failures reported instead of thrown. */
final class KeptRules {

    private static final Logger LOG = LoggerFactory.getLogger(KeptRules.class);

    private final @Nullable LastGoodFile file;
    private final RateLimitListener listener;
    private boolean notSavedReported;

    KeptRules(@Nullable LastGoodFile file, RateLimitListener listener) {
        this.file = file;
        this.listener = listener;
    }

    Optional<LastGoodFile.Kept> load(String location) {
        if (file == null) {
            return Optional.empty();
        }
        try {
            return file.load(location);
        } catch (IOException | RuntimeException e) {
            LOG.warn("The last good rules are ignored: {}", OneLine.of(e));
            listener.onFailure("rules", e);
            return Optional.empty();
        }
    }

    void save(RulesDocument document, Instant now) {
        if (file == null) {
            return;
        }
        try {
            file.save(document, now);
            notSavedReported = false;
        } catch (IOException | RuntimeException e) {
            // An interrupt breaks off the writing: the host is stopped, and what was kept before is still whole.
            if (!notSavedReported && !Thread.currentThread().isInterrupted()) {
                notSavedReported = true;
                LOG.warn("The last good rules could not be kept in {}: {}", file.path(), OneLine.of(e));
                listener.onFailure("rules", e);
            }
        }
    }
}
