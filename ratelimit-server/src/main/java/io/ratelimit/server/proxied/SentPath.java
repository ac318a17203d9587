package io.ratelimit.server.proxied;

import com.google.common.base.Splitter;
import io.ratelimit.core.http.EscapedText;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A path as a client sent it. Servers do not agree on what odd ones mean; this reads all that any of them reads: whoever
 * spells a path so that some server finds a resource there is limited as if that were what he asked for.
 *
 * @param raw the path with its escapes, without a query
 */
record SentPath(String raw) {

    /**
     * The path that rules are for: without parameters, then decoded, then without empty segments, {@code .} and {@code ..}.
     * Never fails, and begins with a slash.
     */
    String resolved() {
        Deque<String> segments = new ArrayDeque<>();
        for (String segment : Splitter.on('/').split(new EscapedText(withoutParameters()).decoded())) {
            switch (segment) {
                case "", "." -> {}
                case ".." -> segments.pollLast();
                default -> segments.add(segment);
            }
        }
        return "/" + String.join("/", segments);
    }

    private String withoutParameters() {
        StringBuilder bare = new StringBuilder(raw.length());
        boolean inParameters = false;
        for (int i = 0; i < raw.length(); i++) {
            char character = raw.charAt(i);
            inParameters = character == ';' || (inParameters && character != '/');
            if (!inParameters) {
                bare.append(character);
            }
        }
        return bare.toString();
    }
}
