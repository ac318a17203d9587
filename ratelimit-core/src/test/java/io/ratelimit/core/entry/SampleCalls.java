package io.ratelimit.core.entry;

import io.ratelimit.core.wire.SpecForm;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.Charge;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/** Calls as hosts make them, for tests of those who take them. */
public final class SampleCalls {

    private SampleCalls() {}

    /** A call that asks for the same charge several times, each a request of its own. */
    public static EntryCall spend(long id, int times, long cost, BucketSpec... buckets) {
        List<SpendStep.Item> items = Stream.of(buckets)
                .map(bucket -> new SpendStep.Item(SpecForm.of(bucket), cost, Charge.Kind.BINDING, 0))
                .toList();
        return new EntryCall(id, Collections.nCopies(times, new SpendStep(items)));
    }

    /** A call whose steps are requests of a client. */
    public static EntryCall of(List<List<Charge>> requests) {
        List<Step> steps = requests.stream()
                .<Step>map(charges -> new SpendStep(charges.stream()
                        .map(charge -> new SpendStep.Item(
                                SpecForm.of(charge.bucket()), charge.cost(), charge.kind(), charge.maxWaitNanos()))
                        .toList()))
                .toList();
        return new EntryCall(CallIds.NONE, steps);
    }

    /** The id of a call of a new host. */
    public static long newId() {
        return new CallIds().next();
    }

    /** Which requests were allowed. */
    public static List<Boolean> allowed(EntryAnswer answer) {
        return answer.steps().stream().map(StepAnswer::allowed).toList();
    }
}
