package io.ratelimit.client;

import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Opens ways to daemons. */
@FunctionalInterface
interface TransportFactory {

    /**
     * Opens one; connects when it is asked something.
     *
     * @param address where the daemon is
     * @param trusted whom to trust with https, or null for the JDK's own
     * @param mostCalls how many calls may be under way at most
     * @return the way; to be closed
     * @throws IllegalStateException if a library is needed that is not there
     */
    Transport open(DaemonAddress address, @Nullable SSLContext trusted, int mostCalls);
}
