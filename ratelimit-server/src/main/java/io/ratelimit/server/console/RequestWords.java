package io.ratelimit.server.console;

import io.ratelimit.rules.AddressRange;
import io.ratelimit.rules.Condition;
import io.ratelimit.rules.PathPattern;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Says in plain words which requests a condition holds for. Immutable and thread-safe. */
final class RequestWords {

    private static final int MOST = 6;

    /** Such as {@code GET or POST requests to /api/**}. */
    String of(Condition condition) {
        List<String> words = new ArrayList<>();
        words.add(condition.methods().isEmpty() ? "all requests" : or(sorted(condition.methods())) + " requests");
        add(words, "to ", condition.paths().stream().map(PathPattern::text).toList());
        add(words, "of the operation ", sorted(condition.operations()));
        add(words, "by the user ", sorted(condition.users()));
        add(words, "from ", condition.addresses().stream().map(this::address).toList());
        condition.attributes().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(attribute -> add(words, "with " + attribute.getKey() + " ", sorted(attribute.getValue())));
        return String.join(" ", words);
    }

    /** A range of one address is that address. */
    String address(AddressRange range) {
        boolean isSingle = range.prefixLength() == range.network().getAddress().length * Byte.SIZE;
        return isSingle ? range.network().getHostAddress() : range.toString();
    }

    /** At most a few of the texts, and how many more there are. */
    static String or(List<String> texts) {
        if (texts.size() > MOST) {
            return String.join(", ", texts.subList(0, MOST)) + " or one of " + (texts.size() - MOST) + " more";
        }
        int last = texts.size() - 1;
        return last < 1 ? String.join("", texts) : String.join(", ", texts.subList(0, last)) + " or " + texts.get(last);
    }

    private static void add(List<String> words, String before, List<String> texts) {
        if (!texts.isEmpty()) {
            words.add(before + or(texts));
        }
    }

    private static List<String> sorted(Collection<String> texts) {
        return texts.stream().sorted().toList();
    }
}
