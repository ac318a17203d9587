package io.ratelimit.core.match;

import java.util.Arrays;
import java.util.Collection;

/**
 * Texts of path segments, found by a part of a path without making a string of it: open addressing with linear probing.
 * The texts are those of rules, so that no path makes searches long. Immutable; safe for use by any thread.
 */
final class SegmentTable {

    /** 2^32 divided by the golden ratio. */
    private static final int GOLDEN = 0x9e3779b9;

    private final String[] segments;
    private final int[] hashes;
    private final int mask;
    private final int shift;

    /**
     * Makes a table.
     *
     * @param texts the texts, no two the same
     */
    SegmentTable(Collection<String> texts) {
        int places = texts.isEmpty() ? 1 : Integer.highestOneBit(4 * texts.size());
        this.mask = places - 1;
        this.shift = Integer.numberOfLeadingZeros(mask);
        this.segments = new String[places];
        this.hashes = new int[places];
        Arrays.fill(segments, "");
        texts.forEach(this::add);
    }

    private void add(String text) {
        int place = home(text.hashCode());
        while (!segments[place].isEmpty()) {
            place = (place + 1) & mask;
        }
        segments[place] = text;
        hashes[place] = text.hashCode();
    }

    /** Hashes of texts that are numbered lie side by side: the product's upper bits do not (Knuth, volume 3, 6.4). */
    private int home(int hash) {
        return mask == 0 ? 0 : (hash * GOLDEN) >>> shift;
    }

    /** How many places there are, those without a text included. */
    int places() {
        return segments.length;
    }

    /** The text at a place, empty where there is none. */
    String at(int place) {
        return segments[place];
    }

    /**
     * Looks a part of a path up.
     *
     * @param hash the part's {@link String#hashCode}
     * @return the place of its text, or {@link #places()} where there is none
     */
    int find(int hash, String path, int from, int to) {
        int place = home(hash);
        while (!segments[place].isEmpty()) {
            if (hashes[place] == hash
                    && segments[place].length() == to - from
                    && path.startsWith(segments[place], from)) {
                return place;
            }
            place = (place + 1) & mask;
        }
        return segments.length;
    }
}
