package io.ratelimit.jgroups;

import io.ratelimit.TimeSource;
import javax.crypto.AEADBadTagException;
import org.jgroups.Address;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where messages leave this host sealed, and strangers' stay out: what cannot be opened is counted, and said once a minute.
 * Thread-safe.
 */
final class Gate {

    private static final Logger LOG = LoggerFactory.getLogger(Gate.class);
    private static final long QUIET_NANOS = 60_000_000_000L;

    private final Seal seal;
    private final TimeSource timeSource;
    private long refused;
    private long saidNanos;

    Gate(Seal seal, TimeSource timeSource) {
        this.seal = seal;
        this.timeSource = timeSource;
        this.saidNanos = timeSource.nanoTime() - QUIET_NANOS;
    }

    byte[] seal(byte[] data, int offset, int length) {
        return seal.seal(data, offset, length);
    }

    /**
     * Opens what has come.
     *
     * @param from where it seems to come from
     * @return the message, or null where it is not to be heard
     */
    byte @Nullable [] open(@Nullable Address from, byte[] data, int offset, int length) {
        if (seal.isOfAnotherGroup(data, offset, length)) {
            return null;
        }
        try {
            return seal.open(data, offset, length);
        } catch (AEADBadTagException e) {
            refuse(from);
            return null;
        }
    }

    private synchronized void refuse(@Nullable Address from) {
        refused++;
        long now = timeSource.nanoTime();
        if (now - saidNanos < QUIET_NANOS) {
            return;
        }
        saidNanos = now;
        LOG.error(
                "A message from {} stays OUT, {} in all: it is not sealed under this host's clusterSecret. Hosts share"
                        + " budgets only if all of them have the same one; whoever else sends to this port is not heard",
                from,
                refused);
    }
}
