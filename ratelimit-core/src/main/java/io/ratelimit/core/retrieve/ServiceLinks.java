package io.ratelimit.core.retrieve;

import java.net.http.HttpHeaders;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The links that an answer names (RFC 8288), such as {@code Link: </events>; rel="events"}. */
final class ServiceLinks {

    /** More than any service has to say; longer ones are not read. */
    private static final int MOST_CHARACTERS = 4096;

    private static final Pattern LINK = Pattern.compile("<([^<>]*)>((?:[^,\"<]++|\"[^\"]*+\")*+)");
    private static final Pattern RELATION =
            Pattern.compile(";\\s*rel\\s*=\\s*(?:\"([^\"]*)\"|([^\\s;,\"]+))", Pattern.CASE_INSENSITIVE);

    private final String links;

    private ServiceLinks(String links) {
        this.links = links;
    }

    static ServiceLinks of(HttpHeaders headers) {
        String links = String.join(",", headers.allValues("Link"));
        return new ServiceLinks(links.length() > MOST_CHARACTERS ? "" : links);
    }

    boolean areNamed() {
        return !links.isEmpty();
    }

    /** The first link of a relation, as the answer writes it. */
    Optional<String> target(String relation) {
        return LINK.matcher(links)
                .results()
                .filter(link -> hasRelation(link.group(2), relation))
                .map(link -> link.group(1).strip())
                .findFirst();
    }

    private static boolean hasRelation(String parameters, String relation) {
        Matcher matcher = RELATION.matcher(parameters);
        if (!matcher.find()) {
            return false;
        }
        String relations = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
        return Arrays.stream(relations.split("\\s+")).anyMatch(relation::equalsIgnoreCase);
    }
}
