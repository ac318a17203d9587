package io.ratelimit.core.entry;

import com.google.common.math.LongMath;
import io.ratelimit.core.algorithm.CellRate;
import io.ratelimit.core.wire.SpecForm;
import io.ratelimit.store.Charge;
import java.util.ArrayList;
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
    private static final int DECIDES = 1;
    private static final int FOLLOWS = 0;

    private final List<SpecForm> buckets;
    private final List<Long> numbers;

    private EvenCall(List<SpecForm> buckets, List<Long> numbers) {
        this.buckets = buckets;
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
        Maker maker = new Maker(specs);
        for (Step step : call.steps()) {
            if (!(step instanceof SpendStep spend) || !maker.add(spend)) {
                return null;
            }
        }
        return maker.made(call.steps().size());
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
     * it has, and for each limit what a microsecond earns; then the number of steps, and for each step the number of its
     * charges; for each charge the place of its bucket, from 1; 1 if the step is refused without it, or 0 if it is only
     * made where it can be; and for each limit the units that it takes and the most that may be missing then, which is
     * negative for a charge that is never made.
     *
     * @return whole numbers whose doubles are exact
     */
    public List<Long> numbers() {
        return numbers;
    }

    /** Gathers the numbers of a call. */
    private static final class Maker {

        private final KnownSpecs specs;
        private final List<SpecForm> buckets = new ArrayList<>(2);
        private final List<CellRate[]> rates = new ArrayList<>(2);
        private final List<Long> ofBuckets = new ArrayList<>();
        private final List<Long> ofSteps = new ArrayList<>();

        private Maker(KnownSpecs specs) {
            this.specs = specs;
        }

        private boolean add(SpendStep step) {
            int countAt = ofSteps.size();
            ofSteps.add(0L);
            long count = 0;
            for (SpendStep.Item item : step.items()) {
                int place = placeOf(item.bucket());
                if (place < 0 || item.kind() == Charge.Kind.LATE) {
                    return false;
                }
                if (item.cost() > 0 && item.kind() != Charge.Kind.LOOK) {
                    count++;
                    if (!add(item, place)) {
                        return false;
                    }
                }
            }
            ofSteps.set(countAt, count);
            return true;
        }

        private boolean add(SpendStep.Item item, int place) {
            ofSteps.add(place + 1L);
            ofSteps.add((long) (item.kind().decides() ? DECIDES : FOLLOWS));
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
            int known = buckets.indexOf(form);
            if (known >= 0) {
                return known;
            }
            NamedSpec named = specs.of(form);
            CellRate[] found = EvenRange.ratesOf(named.spec());
            if (found == null) {
                return -1;
            }
            buckets.add(form);
            rates.add(found);
            ofBuckets.add((long) named.bytesOfName());
            ofBuckets.add((long) found.length);
            for (CellRate rate : found) {
                ofBuckets.add(rate.unitsPerTick());
            }
            return buckets.size() - 1;
        }

        private EvenCall made(int steps) {
            ofBuckets.add((long) steps);
            ofBuckets.addAll(ofSteps);
            return new EvenCall(buckets, ofBuckets);
        }
    }
}
