package io.ratelimit.server.envoy.descriptor;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.core.rules.NearestWord;
import io.ratelimit.core.rules.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The descriptors of a domain. Immutable. */
public final class DescriptorTree {

    private final String location;
    private final DescriptorLevel top;

    DescriptorTree(String location, DescriptorLevel top) {
        this.location = location;
        this.top = top;
    }

    /**
     * Where they were read.
     *
     * @return the file
     */
    public String location() {
        return location;
    }

    /**
     * How many limits there are.
     *
     * @return the number of {@code rate_limit}s, those that are unlimited included
     */
    public int limits() {
        return top.limits();
    }

    /**
     * How deep it is.
     *
     * @return the number of levels; 0 without a descriptor
     */
    public int depth() {
        return top.depth();
    }

    /**
     * How large it is, for people.
     *
     * @return limits and levels, such as {@code 3 limits, 1 level deep}
     */
    public String sizeInWords() {
        return counted(limits(), "limit") + ", " + counted(depth(), "level") + " deep";
    }

    private static String counted(int count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }

    /**
     * Says where entries lead.
     *
     * @param entries the entries, at least one
     * @return the way to the last one, or to the first that leads nowhere
     */
    public DescriptorWay explain(List<DescriptorEntry> entries) {
        List<DescriptorNode> way = way(entries);
        DescriptorLevel level = way.isEmpty() ? top : last(way).below();
        if (way.size() < entries.size()) {
            return new DescriptorWay(false, nothing(entries.get(way.size()), level, inWords(way)), "");
        }
        String reached = "descriptor " + inWords(way);
        return last(way).limit() == null
                ? new DescriptorWay(false, reached + " has no rate_limit" + further(level), "")
                : new DescriptorWay(true, reached, key(way, entries));
    }

    private static String inWords(List<DescriptorNode> way) {
        return way.stream().map(node -> node.step().inWords()).collect(Collectors.joining(", "));
    }

    private static String key(List<DescriptorNode> way, List<DescriptorEntry> entries) {
        return IntStream.range(0, way.size())
                .mapToObj(i -> way.get(i).step().keyInWords(entries.get(i)))
                .collect(Collectors.joining(", "));
    }

    private static String nothing(DescriptorEntry entry, DescriptorLevel level, String way) {
        Set<String> keys = level.keys();
        String key = Printable.quoted(entry.key()) + (way.isEmpty() ? " at the top" : " beneath " + way);
        return keys.contains(entry.key())
                ? "no descriptor has value " + Printable.quoted(entry.value()) + " of " + key
                : "no descriptor has key " + key + NearestWord.hint(entry.key(), keys);
    }

    private static String further(DescriptorLevel below) {
        return below.depth() == 0 ? "" : "; those beneath it are for descriptors with more entries";
    }

    /**
     * Finds the limit of a request's descriptor: each entry leads one level down, and the limit is where the last one
     * ends. Number and order of the entries must be those of the file.
     *
     * @param entries the entries
     * @return the limit with the client that it counts; empty where there is none, so that the descriptor passes
     */
    public Optional<DescriptorMatch> find(List<DescriptorEntry> entries) {
        List<DescriptorNode> way = way(entries);
        DescriptorLimit limit =
                way.isEmpty() || way.size() < entries.size() ? null : last(way).limit();
        if (limit == null) {
            return Optional.empty();
        }
        List<ClientIdentifier> client = new ArrayList<>(way.size());
        for (int i = 0; i < way.size(); i++) {
            client.add(way.get(i).step().identify(entries.get(i)));
        }
        return Optional.of(new DescriptorMatch(limit, ClientIdentifier.composite(client)));
    }

    /** The descriptors that the entries lead to, one after the other, as far as they lead anywhere. */
    private List<DescriptorNode> way(List<DescriptorEntry> entries) {
        List<DescriptorNode> way = new ArrayList<>(entries.size());
        DescriptorLevel level = top;
        for (DescriptorEntry entry : entries) {
            DescriptorNode node = level.find(entry);
            if (node == null) {
                break;
            }
            way.add(node);
            level = node.below();
        }
        return way;
    }

    private static DescriptorNode last(List<DescriptorNode> way) {
        return way.get(way.size() - 1);
    }
}
