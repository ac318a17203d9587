package io.ratelimit.server.envoy.descriptor;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The descriptors that stand beside one another. Immutable. */
final class DescriptorLevel {

    static final DescriptorLevel EMPTY = new DescriptorLevel(List.of());

    private final Map<DescriptorEntry, DescriptorNode> exact = new HashMap<>();
    private final Map<String, Map<Wildcard, DescriptorNode>> wildcards = new HashMap<>();
    private final Map<String, DescriptorNode> anyValue = new HashMap<>();
    private final int limits;
    private final int depth;

    /** Takes descriptors of different steps, in the file's order. */
    DescriptorLevel(List<DescriptorNode> nodes) {
        for (DescriptorNode node : nodes) {
            String key = node.step().key();
            String value = node.step().value();
            if (value == null) {
                anyValue.put(key, node);
            } else if (Wildcard.isIn(value)) {
                wildcards.computeIfAbsent(key, wild -> new LinkedHashMap<>()).put(new Wildcard(value), node);
            } else {
                exact.put(new DescriptorEntry(key, value), node);
            }
        }
        limits = nodes.stream()
                .mapToInt(node -> node.below().limits + (node.limit() == null ? 0 : 1))
                .sum();
        depth = nodes.stream().mapToInt(node -> node.below().depth + 1).max().orElse(0);
    }

    /** How many limits there are here and beneath. */
    int limits() {
        return limits;
    }

    /** How many levels there are, this one included; 0 without a descriptor. */
    int depth() {
        return depth;
    }

    /** The keys that entries may have here. */
    Set<String> keys() {
        Set<String> keys = new TreeSet<>(anyValue.keySet());
        keys.addAll(wildcards.keySet());
        exact.keySet().forEach(entry -> keys.add(entry.key()));
        return keys;
    }

    /** The descriptor of an entry: its value before a wildcard, of several the first in the file, before any value. */
    @Nullable
    DescriptorNode find(DescriptorEntry entry) {
        DescriptorNode found = exact.get(entry);
        if (found == null) {
            found = wild(entry);
        }
        return found == null ? anyValue.get(entry.key()) : found;
    }

    private @Nullable DescriptorNode wild(DescriptorEntry entry) {
        for (Map.Entry<Wildcard, DescriptorNode> wildcard :
                wildcards.getOrDefault(entry.key(), Map.of()).entrySet()) {
            if (wildcard.getKey().matches(entry.value())) {
                return wildcard.getValue();
            }
        }
        return null;
    }
}
