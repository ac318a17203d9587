package io.ratelimit.rules;

import java.util.List;

/** What shares a bucket under a rule. */
public sealed interface Key {

    /** One bucket for each client, found by the rule set's {@code clients}. */
    record Client() implements Key {

        @Override
        public String toString() {
            return "clients";
        }
    }

    /** One bucket for the whole service. */
    record Service() implements Key {

        @Override
        public String toString() {
            return "service";
        }
    }

    /**
     * One bucket for each combination of all parts.
     *
     * @param parts at least one identity
     */
    record Composite(List<Identity> parts) implements Key {

        /**
         * Copies the parts.
         *
         * @throws IllegalArgumentException if there is no part: nothing would tell clients apart
         */
        public Composite {
            parts = List.copyOf(parts);
            if (parts.isEmpty()) {
                throw new IllegalArgumentException("a composite key needs at least one identity");
            }
        }

        /** The key in the rules file's spelling. */
        @Override
        public String toString() {
            return parts.toString();
        }
    }

    /**
     * One bucket for each value of the first identity that the request carries.
     *
     * @param alternatives at least one identity, in order
     */
    record FirstPresent(List<Identity> alternatives) implements Key {

        /**
         * Copies the alternatives.
         *
         * @throws IllegalArgumentException if there is no alternative: no client would ever be found
         */
        public FirstPresent {
            alternatives = List.copyOf(alternatives);
            if (alternatives.isEmpty()) {
                throw new IllegalArgumentException("a key of alternatives needs at least one identity");
            }
        }

        /** The key in the rules file's spelling. */
        @Override
        public String toString() {
            return "{ any: " + alternatives + " }";
        }
    }
}
