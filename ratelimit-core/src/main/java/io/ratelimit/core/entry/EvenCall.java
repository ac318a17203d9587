package io.ratelimit.core.entry;

import com.google.common.collect.Lists;
import com.google.common.math.LongMath;
import io.ratelimit.core.algorithm.CellRate;
import io.ratelimit.core.wire.SpecForm;
import io.ratelimit.store.Charge;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call in numbers, for a store whose own script makes it where the entry lies, in the same way as {@link EntryCall#apply}:
 * under each limit it knows what is missing in units and what a microsecond earns, and a charge is a number of units that is
 * missing afterwards if no more than a given number would be. For calls that only spend, from limits that refill evenly.
 * Immutable.
 */
public final class EvenCall {

    private static final long NEVER = -1;
    private static final int NOWHERE = -1;

    /** For where a bucket lies in the entry, from and to, and for whether it has changed. */
    private static final int ROOM_OF_BUCKET = 3;

    /** A script has room for no more; hosts make longer calls themselves. */
    private static final int MOST_NUMBERS = 4_000;

    private final List<SpecForm> buckets;
    private final byte[] numbers;

    private EvenCall(List<NamedSpec> specs, byte[] numbers) {
        // A view, so that what the forms mean is known for as long as the call is.
        this.buckets = Lists.transform(specs, NamedSpec::form);
        this.numbers = numbers;
    }

    /**
     * The call in numbers.
     *
     * @param call a call
     * @param specs what forms mean, on a clock of microseconds
     * @return the call, or null if a script cannot make it
     */
    public static @Nullable EvenCall of(EntryCall call, KnownSpecs specs) {
        Numbers ofBuckets = new Numbers();
        Numbers ofSteps = new Numbers();
        Maker maker = new Maker(specs, ofBuckets, ofSteps);
        List<Step> steps = call.steps();
        int groups = 0;
        for (int i = 0; i < steps.size(); groups++) {
            int same = same(steps, i);
            if (!(steps.get(i) instanceof SpendStep spend) || !maker.add(spend, same)) {
                return null;
            }
            i += same;
        }
        ofBuckets.add(groups);
        return ofBuckets.count + ofSteps.count > MOST_NUMBERS
                ? null
                : new EvenCall(maker.buckets, ofBuckets.followedBy(ofSteps));
    }

    /** How many steps from one on ask for the same. */
    private static int same(List<Step> steps, int from) {
        int to = from + 1;
        while (to < steps.size() && steps.get(to).equals(steps.get(from))) {
            to++;
        }
        return to - from;
    }

    /**
     * The buckets that the call is about.
     *
     * @return their forms, each once
     */
    public List<SpecForm> buckets() {
        return buckets;
    }

    /**
     * What the script must know, in this order: for each bucket how many bytes of its form tell its name, how many limits
     * it has, room for three numbers of the script's own, and for each limit what a microsecond earns and room for one
     * number; then the number of steps, and for each step how many times it is taken, the number of its charges, and for
     * each charge where the numbers of its bucket begin, counted from 1; 1 if the step is refused
     * without it, or 0 if it is only made where it can be; and for each limit the units that it takes and the most that may
     * be missing then, which is negative for a charge that is never made.
     *
     * @return doubles, the most significant byte first; not to be written to
     */
    public byte[] numbers() {
        return numbers;
    }

    /** Numbers in a row. */
    private static final class Numbers {

        private double[] all = new double[16];
        private int count;

        private void add(long number) {
            if (count == all.length) {
                all = Arrays.copyOf(all, 2 * count);
            }
            all[count++] = number;
        }

        private void leaveRoom(int places) {
            for (int i = 0; i < places; i++) {
                add(0);
            }
        }

        private byte[] followedBy(Numbers others) {
            ByteBuffer bytes = ByteBuffer.allocate((count + others.count) * Double.BYTES);
            bytes.asDoubleBuffer().put(all, 0, count).put(others.all, 0, others.count);
            return bytes.array();
        }
    }

    /** Gathers the numbers of a call. */
    private static final class Maker {

        private final KnownSpecs specs;
        private final List<NamedSpec> buckets = new ArrayList<>(2);
        private final List<CellRate[]> rates = new ArrayList<>(2);
        private final List<Integer> firstNumbers = new ArrayList<>(2);
        private final Numbers ofBuckets;
        private final Numbers ofSteps;

        private Maker(KnownSpecs specs, Numbers ofBuckets, Numbers ofSteps) {
            this.specs = specs;
            this.ofBuckets = ofBuckets;
            this.ofSteps = ofSteps;
        }

        private boolean add(SpendStep step, int times) {
            ofSteps.add(times);
            int countAt = ofSteps.count;
            ofSteps.add(0);
            for (SpendStep.Item item : step.items()) {
                int place = placeOf(item.bucket());
                if (place == NOWHERE || item.kind() == Charge.Kind.LATE) {
                    return false;
                }
                if (item.cost() > 0 && item.kind() != Charge.Kind.LOOK) {
                    ofSteps.all[countAt]++;
                    if (!add(item, place)) {
                        return false;
                    }
                }
            }
            return true;
        }

        private boolean add(SpendStep.Item item, int place) {
            ofSteps.add(firstNumbers.get(place));
            ofSteps.add(item.kind().decides() ? 1 : 0);
            for (CellRate rate : rates.get(place)) {
                long most = mostMissing(rate, item);
                if (most > EvenRange.MOST) {
                    return false;
                }
                ofSteps.add(most == NEVER ? 0 : item.cost() * rate.unitsPerToken());
                ofSteps.add(most);
            }
            return true;
        }

        /** As {@link io.ratelimit.core.algorithm.LimitAlgorithm#isGranted} has it. */
        private static long mostMissing(CellRate rate, SpendStep.Item item) {
            if (item.cost() > rate.capacity()) {
                return NEVER;
            }
            long ticks = Math.min(item.maxWaitNanos(), rate.longestTurnNanos()) / rate.nanosPerTick();
            return LongMath.saturatedAdd(
                    rate.capacity() * rate.unitsPerToken(), LongMath.saturatedMultiply(ticks, rate.unitsPerTick()));
        }

        private int placeOf(SpecForm form) {
            NamedSpec named = specs.of(form);
            for (int i = 0; i < buckets.size(); i++) {
                if (buckets.get(i).name().equals(named.name())) {
                    // Of the same bucket under two kinds of limits, one replaces the other, which is no matter of
                    // numbers.
                    return buckets.get(i).equals(named) ? i : NOWHERE;
                }
            }
            CellRate[] found = EvenRange.ratesOf(named.spec());
            if (found == null) {
                return NOWHERE;
            }
            buckets.add(named);
            rates.add(found);
            firstNumbers.add(ofBuckets.count + 1);
            ofBuckets.add(named.bytesOfName());
            ofBuckets.add(found.length);
            ofBuckets.leaveRoom(ROOM_OF_BUCKET);
            for (CellRate rate : found) {
                ofBuckets.add(rate.unitsPerTick());
                ofBuckets.leaveRoom(1);
            }
            return buckets.size() - 1;
        }
    }
}
