package io.ratelimit.server.envoy.descriptor;

import com.google.common.hash.Hashing;
import io.ratelimit.core.rules.Printable;
import io.ratelimit.rules.Key;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The way from a domain to a descriptor.
 *
 * @param domain the domain
 * @param steps the steps so far
 */
record DescriptorPath(String domain, List<PathStep> steps) {

    private static final int LONGEST_NAME = 100;

    /** What a rule's name may not hold. */
    private static final Pattern FOREIGN = Pattern.compile("[^A-Za-z0-9._-]");

    static DescriptorPath of(String domain) {
        return new DescriptorPath(domain, List.of());
    }

    DescriptorPath plus(PathStep step) {
        List<PathStep> longer = new ArrayList<>(steps);
        longer.add(step);
        return new DescriptorPath(domain, List.copyOf(longer));
    }

    Key key() {
        return new Key.Composite(steps.stream().map(PathStep::identity).toList());
    }

    /**
     * The name of the descriptor's rule, such as {@code shop.user.path_login}. It depends on the path alone, so that
     * buckets keep their name whatever else changes in the files; where it does not spell the path in full, a hash of the
     * path follows.
     */
    String ruleName() {
        List<String> parts = new ArrayList<>();
        parts.add(domain);
        steps.forEach(step -> parts.add(step.text()));
        String plain = String.join(".", parts);
        boolean isInFull = plain.length() <= LONGEST_NAME
                && parts.stream().noneMatch(part -> part.contains("."))
                && !FOREIGN.matcher(plain).find();
        return isInFull ? plain : shortened(plain) + "-" + hash(parts);
    }

    private static String shortened(String plain) {
        return FOREIGN.matcher(Printable.shortened(plain, LONGEST_NAME)).replaceAll("_");
    }

    private static String hash(List<String> parts) {
        String unmistakable =
                parts.stream().map(part -> part.length() + ":" + part).collect(Collectors.joining());
        return Hashing.sipHash24()
                .hashString(unmistakable, StandardCharsets.UTF_8)
                .toString();
    }
}
