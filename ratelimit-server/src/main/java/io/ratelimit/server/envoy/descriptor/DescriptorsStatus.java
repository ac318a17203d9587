package io.ratelimit.server.envoy.descriptor;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How things stand with descriptor files.
 *
 * @param place the file or the directory
 * @param inForce the descriptors in force
 * @param since since when they are
 * @param refused whether the files are not in force as they are
 * @param lastFailure why they were not when that happened last, whether it was mended since or not; null if never
 */
public record DescriptorsStatus(
        String place,
        DescriptorSet inForce,
        Instant since,
        boolean refused,
        @Nullable Failure lastFailure) {

    /**
     * Files that were not taken.
     *
     * @param at when that was first noticed
     * @param reasons each mistake, the first ten of them
     */
    public record Failure(Instant at, List<String> reasons) {

        private static final int MOST = 10;

        /** Keeps the first reasons. */
        public Failure {
            reasons = List.copyOf(reasons.subList(0, Math.min(reasons.size(), MOST)));
        }
    }

    DescriptorsStatus taken(DescriptorSet set, Instant now) {
        return new DescriptorsStatus(place, set, now, refused, lastFailure);
    }

    DescriptorsStatus refused(Failure failure) {
        return new DescriptorsStatus(place, inForce, since, true, failure);
    }

    DescriptorsStatus mended() {
        return new DescriptorsStatus(place, inForce, since, false, lastFailure);
    }
}
