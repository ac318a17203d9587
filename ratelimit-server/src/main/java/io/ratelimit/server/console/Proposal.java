package io.ratelimit.server.console;

import io.ratelimit.server.rules.Expectation;
import io.ratelimit.server.rules.RulesVersion;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What somebody is about to publish, as forms carry it from page to page.
 *
 * @param text the document
 * @param tag the tag of the version that it was made from; empty for the first rules of a service
 * @param restoredFrom the number of the version whose text this is, or null
 */
record Proposal(String text, String tag, @Nullable Long restoredFrom) {

    private static final Pattern NUMBER = Pattern.compile("(\\d{1,18})-.*");

    static String tagOf(Optional<RulesVersion> version) {
        return version.map(RulesVersion::tag).orElse("");
    }

    Expectation expectation() {
        return tag.isEmpty() ? new Expectation.Nothing() : new Expectation.Tag(tag);
    }

    /** The number of the version that it was made from, as the tag says. */
    OptionalLong baseNumber() {
        Matcher number = NUMBER.matcher(tag);
        return number.matches() ? OptionalLong.of(Long.parseLong(number.group(1))) : OptionalLong.empty();
    }
}
