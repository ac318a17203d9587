package io.ratelimit.core.extension;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports extensions that fail, each once: every request may meet the same fault. What was thrown may quote the request
 * and the secrets in it, so a report tells where, but no message. Thread-safe.
 *
 * <p>Wherever the limiter calls code of the application, it catches all that can be thrown: exceptions, errors, and
 * checked exceptions that nothing declares, as Kotlin and Lombok throw them. No request must fail because of a limiter,
 * whatever an extension means by an {@code AssertionError}; and one that meets an {@code OutOfMemoryError} is told in the
 * log like any other, while the application meets its own soon enough.
 */
public final class ExtensionFaults {

    private static final Logger LOG = LoggerFactory.getLogger(Extensions.class);

    private final Set<String> thrown = ConcurrentHashMap.newKeySet();
    private final Set<String> wrong = ConcurrentHashMap.newKeySet();

    /** Nothing was reported yet. */
    public ExtensionFaults() {}

    /**
     * Reports that an extension threw something.
     *
     * @param extension which one, one of as many as there are
     * @param consequence what becomes of what it was asked
     * @param fault what it threw
     */
    public void thrown(String extension, String consequence, Throwable fault) {
        if (thrown.add(extension)) {
            LOG.error(
                    "{} failed with {}: {}; this is reported once",
                    extension,
                    fault.getClass().getName(),
                    consequence,
                    new Trace(fault));
        }
    }

    /**
     * Reports that an extension gave an answer that is none.
     *
     * @param extension which one, one of as many as there are
     * @param answer the answer, as the predicate of a sentence
     * @param consequence what becomes of what it was asked
     */
    public void wrong(String extension, String answer, String consequence) {
        if (wrong.add(extension)) {
            LOG.error("{} {}: {}; this is reported once", extension, answer, consequence);
        }
    }

    /** Where something was thrown, without its message and its causes. */
    private static final class Trace extends Throwable {

        private static final long serialVersionUID = 1L;

        Trace(Throwable fault) {
            super("thrown here", null, false, true);
            setStackTrace(fault.getStackTrace());
        }
    }
}
