package io.ratelimit.server.command;

import io.ratelimit.server.remote.RemoteRules;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What an author has seen in force, and means to replace. */
interface Base {

    /** Whether it still is what is in force. */
    boolean is(Optional<RemoteRules> inForce);

    /**
     * Reads a version's number, a tag, or else the place of the document that was in force; an empty document stands for
     * none.
     *
     * @throws CommandException if the document cannot be read
     */
    static Base of(String word, InputStream standardInput) {
        Matcher version = Pattern.compile("\"?([0-9]{1,18}(-[0-9a-f]{8})?)\"?").matcher(word);
        if (version.matches()) {
            String seen = version.group(1);
            return inForce -> inForce.filter(
                            rules -> seen.equals(rules.tag()) || seen.equals(Long.toString(rules.number())))
                    .isPresent();
        }
        String text = new String(RulesPlace.of(word, standardInput).read(), StandardCharsets.UTF_8);
        return inForce -> inForce.map(RemoteRules::text).orElse("").equals(text);
    }
}
