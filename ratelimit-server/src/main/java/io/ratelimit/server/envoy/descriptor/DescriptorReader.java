package io.ratelimit.server.envoy.descriptor;

import io.ratelimit.core.rules.Cursor;
import io.ratelimit.core.rules.Fields;
import io.ratelimit.core.rules.Printable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads descriptors and those beneath them. */
final class DescriptorReader {

    private static final String KEY = "key";
    private static final String VALUE = "value";
    private static final String RATE_LIMIT = "rate_limit";
    private static final String DESCRIPTORS = "descriptors";
    private static final String SHADOW_MODE = "shadow_mode";
    private static final String SHARE_THRESHOLD = "share_threshold";

    /** Of these only the form is looked at: they concern statistics and metadata of the reference alone. */
    private static final List<String> WITHOUT_EFFECT = List.of("detailed_metric", "value_to_metric", "quota_mode");

    private static final List<String> FIELDS = Stream.of(
                    List.of(KEY, VALUE, RATE_LIMIT, DESCRIPTORS, SHADOW_MODE, SHARE_THRESHOLD),
                    WITHOUT_EFFECT,
                    List.of("metadata"))
            .flatMap(List::stream)
            .toList();

    private final FieldReader values = new FieldReader();
    private final RateLimitReader limits;

    DescriptorReader(RateLimitReader limits) {
        this.limits = limits;
    }

    /** The descriptors beneath a domain or another descriptor, where it has any. */
    DescriptorLevel level(Fields owner, DescriptorPath path) {
        Optional<Cursor> list = values.present(owner, DESCRIPTORS);
        return list.isEmpty() ? DescriptorLevel.EMPTY : level(list.get(), path);
    }

    private DescriptorLevel level(Cursor list, DescriptorPath path) {
        List<DescriptorNode> nodes = new ArrayList<>();
        Map<String, Cursor> firsts = new HashMap<>();
        for (Cursor item : list.items("descriptors, such as - key: remote_address")) {
            if (list.problems().areFull()) {
                break;
            }
            Fields.open(item, FIELDS, Set.of()).ifPresent(fields -> {
                DescriptorNode node = node(fields, path);
                Cursor first = firsts.putIfAbsent(node.step().text(), item);
                if (first == null) {
                    nodes.add(node);
                } else {
                    item.problem(
                            "the descriptor " + Printable.quoted(node.step().text())
                                    + ", its key and value joined by '_', stands twice at one level, first in line "
                                    + first.line() + "; keep one");
                }
            });
        }
        return new DescriptorLevel(nodes);
    }

    private DescriptorNode node(Fields fields, DescriptorPath above) {
        String key = values.requiredText(fields, KEY, "the key of the entries that it is for")
                .orElse("?");
        String value = values.text(fields, VALUE, "the value of the entries that it is for")
                .orElse(null);
        PathStep step = new PathStep(key, value, isShared(fields, value));
        DescriptorPath path = above.plus(step);
        boolean shadow = values.isTrue(fields, SHADOW_MODE);
        WITHOUT_EFFECT.forEach(flag -> values.isTrue(fields, flag));
        return new DescriptorNode(
                step,
                values.present(fields, RATE_LIMIT)
                        .flatMap(block -> limits.read(block, path, shadow))
                        .orElse(null),
                level(fields, path));
    }

    private boolean isShared(Fields fields, @Nullable String value) {
        if (!values.isTrue(fields, SHARE_THRESHOLD)) {
            return false;
        }
        boolean isWildcard = value != null && Wildcard.isIn(value);
        if (!isWildcard) {
            fields.get(SHARE_THRESHOLD)
                    .ifPresent(flag -> flag.problem("only a value with '*' has others to share with, and "
                            + (value == null ? "there is none" : Printable.quoted(value) + " is no such value")
                            + "; give a value such as files/*, or leave share_threshold out"));
        }
        return isWildcard;
    }
}
