package io.ratelimit.rules;

import org.jspecify.annotations.Nullable;

/**
 * One way to tell a client apart.
 *
 * @param kind what is looked at
 * @param name the header's, cookie's or attribute's name; null for the kinds without one
 */
public record Identity(Kind kind, @Nullable String name) {

    /** What is looked at. */
    public enum Kind {
        /** The authenticated user. */
        USER("user", false),
        /** The client's address, read through trusted proxies only. */
        IP("ip", false),
        /** The credential of {@code Authorization: Bearer}. */
        BEARER("bearer", false),
        /** A header. */
        HEADER("header", true),
        /** A cookie. */
        COOKIE("cookie", true),
        /** An attribute that the application attached to the request. */
        ATTRIBUTE("attribute", true);

        private final String word;
        private final boolean named;

        Kind(String word, boolean named) {
            this.word = word;
            this.named = named;
        }

        /**
         * The kind's word in a rules file.
         *
         * @return a word such as {@code header}
         */
        public String word() {
            return word;
        }

        /**
         * Whether the kind needs a name behind it.
         *
         * @return true for {@code header:…}, {@code cookie:…}, {@code attribute:…}
         */
        public boolean isNamed() {
            return named;
        }
    }

    /**
     * Checks that a name is there exactly where the kind needs one.
     *
     * @throws IllegalArgumentException if it is not
     */
    public Identity {
        if (kind.named == (name == null || name.isBlank())) {
            throw new IllegalArgumentException(
                    kind.named ? kind.word + " needs a name: " + kind.word + ":NAME" : kind.word + " takes no name");
        }
    }

    /**
     * An identity without a name.
     *
     * @param kind a kind that takes no name
     * @return the identity
     */
    public static Identity of(Kind kind) {
        return new Identity(kind, null);
    }

    /** The identity in the rules file's spelling, such as {@code header:X-Api-Key}. */
    @Override
    public String toString() {
        return name == null ? kind.word : kind.word + ":" + name;
    }
}
