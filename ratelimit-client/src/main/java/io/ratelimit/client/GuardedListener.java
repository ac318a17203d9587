package io.ratelimit.client;

import io.ratelimit.Decision;
import io.ratelimit.RateLimitListener;
import io.ratelimit.RequestContext;
import java.util.concurrent.TimeoutException;

/** Tells a listener, whatever it throws, and the log of what should not be. Thread-safe. */
final class GuardedListener {

    private final RateLimitListener listener;
    private final BoundedLog misunderstood = new BoundedLog("A daemon does not understand a request, which passes");
    private final BoundedLog unreadable = new BoundedLog("A request could not be read, and passes");
    private final BoundedLog faults = new BoundedLog("A listener has failed");

    GuardedListener(RateLimitListener listener) {
        this.listener = listener;
    }

    void decided(RequestContext context, Decision decision) {
        tell(() -> listener.onDecision(context, decision));
    }

    /** A daemon has not decided. */
    void failed(Throwable failure) {
        tell(() -> listener.onFailure(failure instanceof TimeoutException ? "store-timeout" : "store-error", failure));
        if (failure instanceof RefusedCallException refused && refused.isForThisRequest()) {
            misunderstood.warn(failure);
        }
    }

    /** Something that has nothing to do with daemons. */
    void broken(Throwable failure) {
        unreadable.warn(failure);
        tell(() -> listener.onFailure("internal", failure));
    }

    void closed() {
        tell(listener::onClose);
    }

    private void tell(Runnable telling) {
        try {
            telling.run();
        } catch (Throwable e) {
            faults.warn(e);
        }
    }
}
