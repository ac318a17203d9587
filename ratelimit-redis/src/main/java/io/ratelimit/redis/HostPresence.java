package io.ratelimit.redis;

import io.lettuce.core.ScriptOutputType;
import io.ratelimit.TimeSource;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many hosts share the buckets of the services that this host serves. Each says four times a second that it is there,
 * and counts for three seconds; so a host that comes is known to all within a second, and one that does not know of that
 * does not know the number. Thread-safe.
 */
final class HostPresence {

    /** How often {@link #tell} is to be called. */
    static final Duration PERIOD = Duration.ofMillis(250);

    private static final Logger LOG = LoggerFactory.getLogger(HostPresence.class);

    private static final byte[] LEASE =
            Long.toString(TimeUnit.SECONDS.toMillis(3)).getBytes(StandardCharsets.US_ASCII);
    private static final byte[] LEAVING = "0".getBytes(StandardCharsets.US_ASCII);

    private static final long KNOWN_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** How many there were, when that was asked. */
    private record Count(int hosts, long askedNanos) {}

    private static final Count UNKNOWN = new Count(0, 0);

    private final RedisLink link;
    private final KeyNames names;
    private final TimeSource timeSource;
    private final byte[] self = UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII);
    private final ConcurrentMap<String, Count> services = new ConcurrentHashMap<>();

    HostPresence(RedisLink link, KeyNames names, TimeSource timeSource) {
        this.link = link;
        this.names = names;
        this.timeSource = timeSource;
    }

    /** This host has clients of a service. */
    void serve(String service) {
        if (!services.containsKey(service) && services.putIfAbsent(service, UNKNOWN) == null) {
            tell(service);
        }
    }

    /** Says that this host is there. */
    void tell() {
        services.keySet().forEach(this::tell);
    }

    private void tell(String service) {
        long asked = timeSource.nanoTime();
        link.run(Script.PRESENT, ScriptOutputType.INTEGER, names.hosts(service), self, LEASE)
                .whenComplete((hosts, failure) -> {
                    if (failure == null) {
                        services.put(service, new Count(((Long) hosts).intValue(), asked));
                    } else {
                        LOG.debug("Redis was not told that this host is there", failure);
                    }
                });
    }

    /** Says that this host is there no more. */
    void leave() {
        services.keySet()
                .forEach(service ->
                        link.run(Script.PRESENT, ScriptOutputType.INTEGER, names.hosts(service), self, LEAVING));
    }

    /** How many hosts there are of the service that has the most; 0 where that is not known just now. */
    int hosts() {
        long now = timeSource.nanoTime();
        int most = 0;
        for (Count count : services.values()) {
            if (count.hosts() == 0 || now - count.askedNanos() > KNOWN_NANOS) {
                return 0;
            }
            most = Math.max(most, count.hosts());
        }
        return most;
    }
}
