package io.ratelimit.server.traffic;

import io.ratelimit.TimeSource;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * What the hosts of all services tell, within a bound of memory: half of it is for requests, of which each service keeps an
 * equal part at most, the other half for hosts and counts, to whoever comes first. Thread-safe.
 */
public final class Traffic {

    private final TimeSource timeSource;
    private final long bytesOfRequests;
    private final SharedMemory memory;
    private final ConcurrentMap<String, ServiceTraffic> services = new ConcurrentHashMap<>();

    /**
     * Begins without services.
     *
     * @param timeSource the clocks of this service
     * @param mostBytes the most memory that is used, in bytes, estimated
     */
    public Traffic(TimeSource timeSource, long mostBytes) {
        this.timeSource = timeSource;
        this.bytesOfRequests = mostBytes / 2;
        this.memory = new SharedMemory(mostBytes / 2);
    }

    /**
     * The traffic of a service. It takes its memory from now on: ask only for services that exist.
     *
     * @param service the service's name
     * @return its traffic, the same until it is forgotten
     */
    public ServiceTraffic of(String service) {
        return services.computeIfAbsent(
                service, name -> new ServiceTraffic(timeSource, this::bytesOfRequestsEach, memory));
    }

    private long bytesOfRequestsEach() {
        return bytesOfRequests / Math.max(1, services.size());
    }

    /**
     * Forgets a service that is there no more.
     *
     * @param service the service's name
     */
    public void forget(String service) {
        ServiceTraffic gone = services.remove(service);
        if (gone != null) {
            gone.close();
        }
    }

    /**
     * Forgets what is too old, or more than a service's part, and services that nothing is known of any more. Due now and
     * then, since nobody may ask for it.
     */
    public void forgetOld() {
        services.values().forEach(ServiceTraffic::forgetOld);
        services.forEach((name, service) -> {
            if (service.isEmpty()) {
                forget(name);
            }
        });
    }
}
