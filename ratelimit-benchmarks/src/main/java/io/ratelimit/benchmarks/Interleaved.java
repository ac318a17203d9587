package io.ratelimit.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/**
 * Figures of several ways, taken in rounds whose order is drawn anew, so that whatever befalls the machine befalls all of
 * them. Used by one thread.
 *
 * @param <W> the ways
 */
public final class Interleaved<W extends Enum<W>> {

    /**
     * Takes the figures of one way in one round.
     *
     * @param <W> the ways
     */
    public interface Taker<W> {

        /**
         * Takes them.
         *
         * @param way the way
         * @return the figures, always as many
         * @throws IOException if they cannot be taken
         * @throws InterruptedException if the thread is interrupted meanwhile
         */
        long[] take(W way) throws IOException, InterruptedException;
    }

    private final Map<W, List<long[]>> figures;

    private Interleaved(Class<W> ways) {
        this.figures = new EnumMap<>(ways);
    }

    /**
     * Takes figures.
     *
     * @param <W> the ways
     * @param ways all of them
     * @param warmUp rounds that do not count
     * @param rounds rounds that do
     * @param taker takes the figures
     * @return the figures
     * @throws IOException if they cannot be taken
     * @throws InterruptedException if the thread is interrupted meanwhile
     */
    public static <W extends Enum<W>> Interleaved<W> take(Class<W> ways, int warmUp, int rounds, Taker<W> taker)
            throws IOException, InterruptedException {
        Interleaved<W> taken = new Interleaved<>(ways);
        List<W> order = new ArrayList<>(Arrays.asList(ways.getEnumConstants()));
        Random random = new Random();
        for (int round = 0; round < warmUp + rounds; round++) {
            Collections.shuffle(order, random);
            for (W way : order) {
                long[] figures = taker.take(way);
                if (round >= warmUp) {
                    taken.figures
                            .computeIfAbsent(way, made -> new ArrayList<>())
                            .add(figures);
                }
            }
        }
        return taken;
    }

    /**
     * The median of a figure.
     *
     * @param way whose
     * @param which its place
     * @return the median over all rounds
     */
    public long middle(W way, int which) {
        long[] all = figures.getOrDefault(way, List.of()).stream()
                .mapToLong(taken -> taken[which])
                .sorted()
                .toArray();
        return all[all.length / 2];
    }

    /**
     * A time as a report says it.
     *
     * @param nanos nanoseconds
     * @return microseconds
     */
    public static String micros(long nanos) {
        return String.format(Locale.ROOT, nanos < 10_000 ? "%.2f" : "%.0f", nanos / 1e3);
    }

    /**
     * A ratio as a report says it.
     *
     * @param value what is compared
     * @param reference what it is compared with
     * @return their ratio
     */
    public static String ratio(long value, long reference) {
        return String.format(Locale.ROOT, "%.2f", (double) value / reference);
    }

    /**
     * A large number as a report says it.
     *
     * @param value the number
     * @return its digits, in groups
     */
    public static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }
}
