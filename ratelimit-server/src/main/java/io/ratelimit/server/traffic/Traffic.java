package io.ratelimit.server.traffic;

import io.ratelimit.TimeSource;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** What the hosts of all services tell. Thread-safe. */
public final class Traffic {

    private final TimeSource timeSource;
    private final ConcurrentMap<String, ServiceTraffic> services = new ConcurrentHashMap<>();

    /**
     * Begins without services.
     *
     * @param timeSource the clocks of this service
     */
    public Traffic(TimeSource timeSource) {
        this.timeSource = timeSource;
    }

    /**
     * The traffic of a service. It takes its memory from now on: ask only for services that exist.
     *
     * @param service the service's name
     * @return its traffic, always the same
     */
    public ServiceTraffic of(String service) {
        return services.computeIfAbsent(service, name -> new ServiceTraffic(timeSource));
    }

    /**
     * Forgets a service that is there no more.
     *
     * @param service the service's name
     */
    public void forget(String service) {
        services.remove(service);
    }
}
