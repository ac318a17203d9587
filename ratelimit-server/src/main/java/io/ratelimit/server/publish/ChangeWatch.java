package io.ratelimit.server.publish;

import io.ratelimit.server.rules.RuleSets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks what is in force, since another process with the same database may publish too. Run by one thread at a time. */
public final class ChangeWatch implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(ChangeWatch.class);

    private final RuleSets ruleSets;
    private final Changes changes;
    private boolean isAway;

    /**
     * Makes a watch.
     *
     * @param ruleSets where publications are seen
     * @param changes is told of them
     */
    public ChangeWatch(RuleSets ruleSets, Changes changes) {
        this.ruleSets = ruleSets;
        this.changes = changes;
    }

    @Override
    public void run() {
        try {
            ruleSets.services().forEach(changes::tell);
            if (isAway) {
                isAway = false;
                LOG.info("The database answers again");
            }
        } catch (RuntimeException e) {
            if (!isAway) {
                isAway = true;
                LOG.warn(
                        "The database does not answer: rules can neither be read nor published until it does, hosts go"
                                + " on with those that they have",
                        e);
            }
        }
    }
}
