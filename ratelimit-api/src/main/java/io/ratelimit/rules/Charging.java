package io.ratelimit.rules;

import java.util.List;

/** When a rule charges a request. */
public sealed interface Charging {

    /** Every request that passes, before the application runs. */
    Charging ON_REQUEST = new OnRequest();

    /**
     * Whether a request that passed pays.
     *
     * @param status the HTTP status that the application answered with
     * @return false if what was reserved for it is given back
     */
    boolean isChargedFor(int status);

    /** Every request that passes pays. */
    record OnRequest() implements Charging {

        @Override
        public boolean isChargedFor(int status) {
            return true;
        }
    }

    /**
     * What a request costs is reserved before the application runs, and given back unless the answer is one of these.
     *
     * @param statuses the statuses that are charged, at least one
     */
    record OnResponse(List<StatusRange> statuses) implements Charging {

        /**
         * Copies the statuses.
         *
         * @throws IllegalArgumentException if there is none: nobody would ever pay
         */
        public OnResponse {
            statuses = List.copyOf(statuses);
            if (statuses.isEmpty()) {
                throw new IllegalArgumentException("a charge by the response needs at least one status");
            }
        }

        @Override
        public boolean isChargedFor(int status) {
            return statuses.stream().anyMatch(range -> range.contains(status));
        }
    }
}
