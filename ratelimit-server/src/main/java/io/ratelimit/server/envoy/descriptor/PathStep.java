package io.ratelimit.server.envoy.descriptor;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.core.rules.Printable;
import io.ratelimit.rules.Identity;
import org.jspecify.annotations.Nullable;

/**
 * One step from a domain to a limit.
 *
 * @param key the entry's key
 * @param value the entry's value, with {@code *} for a wildcard, or null for any
 * @param shared whether all values share one bucket
 */
record PathStep(String key, @Nullable String value, boolean shared) {

    private static final int LONGEST = 80;

    /** Key and value as the reference joins them: what is equal here stands for the same. */
    String text() {
        return value == null ? key : key + "_" + value;
    }

    /** As people read it: {@code user}, {@code user=alice}. */
    String inWords() {
        return printable(value == null ? key : key + "=" + value);
    }

    /** What of an entry that fits is part of the key. */
    String keyInWords(DescriptorEntry entry) {
        return printable(key + "=" + told(entry));
    }

    private static String printable(String text) {
        return Printable.escaped(Printable.shortened(text, LONGEST));
    }

    Identity identity() {
        return new Identity(Identity.Kind.ATTRIBUTE, key);
    }

    /** What an entry that fits adds to the key of its bucket. */
    ClientIdentifier identify(DescriptorEntry entry) {
        String told = told(entry);
        // No identifier has an empty value, but descriptors may: it is told apart by its kind.
        return told.isEmpty()
                ? ClientIdentifier.of("empty:" + key, "-")
                : ClientIdentifier.of(identity().toString(), told);
    }

    private String told(DescriptorEntry entry) {
        return shared && value != null ? value : entry.value();
    }
}
