package io.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.TimeSource;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.algorithm.LimitAlgorithm;
import io.ratelimit.core.algorithm.Moment;
import io.ratelimit.core.entry.ClientEntry;
import io.ratelimit.core.entry.EntryCall;
import io.ratelimit.core.entry.EntryEdit;
import io.ratelimit.core.entry.EvenCall;
import io.ratelimit.core.entry.EvenEntry;
import io.ratelimit.core.entry.KnownSpecs;
import io.ratelimit.core.entry.SampleCalls;
import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOptions;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.Charge;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The script decides as hosts do. */
class DecideScriptTest {

    private static final int CALLS = 400;

    private static RedisProcess redis;
    private static RedisLink link;

    private final ManualTimeSource clock = new ManualTimeSource();
    private final RedisTime time = new ManualRedisTime(clock);
    private final EntryScripts scripts = new EntryScripts(link, time);
    private final KnownSpecs specs = new KnownSpecs(limit -> LimitAlgorithm.of(limit, 1_000));
    private final byte[] key = UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII);
    private final ClientIdentifier alice = ClientIdentifier.of("user", "alice");

    @BeforeAll
    static void connect() {
        redis = RedisProcess.start62();
        link = new RedisLink(
                new OneMaster(RedisLocation.parse(redis.uri()), new RedisResources()), TimeSource.system());
    }

    @AfterAll
    static void close() {
        link.close();
        redis.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void leavesBehindWhatHostsWouldHave(long seed) {
        Random random = new Random(seed);
        List<BucketSpec> buckets = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            buckets.add(bucket("rule-" + i, limits(random)));
        }
        int changes = 0;
        for (int i = 0; i < CALLS; i++) {
            EntryCall call = SampleCalls.of(requests(random, buckets));
            EvenCall even = EvenCall.of(call, specs);
            assertThat(even).isNotNull();
            EntryReply reply = scripts.decide(key, even).join();
            assertThat(reply.made()).isTrue();
            Moment now = time.at(reply.micros());
            ClientEntry before = reply.entry().read(specs, now).entry();
            EntryEdit edit = new EntryEdit(before, specs, now, 1);
            call.apply(edit);
            ClientEntry expected = edit.result();
            changes += expected == null ? 0 : 1;
            ClientEntry left = scripts.read(key).join().entry().read(specs, now).entry();
            assertThat(missing(left, now)).isEqualTo(missing(expected == null ? before : expected, now));
            clock.advanceNanos(random.nextInt(4) == 0 ? random.nextInt(2_000_000_000) : random.nextInt(2_000_000));
        }
        assertThat(changes).isGreaterThan(CALLS / 10);
    }

    /** What is missing in each bucket, by its form. */
    private static Map<String, List<Long>> missing(ClientEntry entry, Moment now) {
        Map<String, List<Long>> missing = new TreeMap<>();
        EvenEntry even = EvenEntry.of(entry, now);
        assertThat(even.others().buckets()).isEmpty();
        for (EvenEntry.Slot slot : even.slots()) {
            List<Long> units = Arrays.stream(slot.missing()).boxed().toList();
            if (units.stream().anyMatch(some -> some > 0)) {
                missing.put(Arrays.toString(slot.bucket().bytes()), units);
            }
        }
        return missing;
    }

    private static BucketSpec bucket(String name, List<Limit> limits) {
        return new BucketSpec("orders", name, 1, limits, StorePolicy.UNSET);
    }

    private static List<Limit> limits(Random random) {
        List<Limit> limits = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            Limit limit = switch (random.nextInt(5)) {
                case 0 -> Limit.of(3, Duration.ofSeconds(1));
                case 1 -> new Limit(7, Duration.ofMinutes(1), 20, Algorithm.TOKEN_BUCKET, LimitOptions.NONE);
                case 2 -> Limit.of(100_000_000_000_000L, Duration.ofHours(1));
                case 3 -> Limit.of(1_000_000, Duration.ofSeconds(1));
                default -> Limit.of(1 + random.nextInt(1_000), Duration.ofMillis(1 + random.nextInt(100_000)));
            };
            limits.add(limit);
        }
        return limits;
    }

    private List<List<Charge>> requests(Random random, List<BucketSpec> buckets) {
        List<List<Charge>> requests = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            List<Charge> charges = new ArrayList<>();
            for (BucketSpec bucket : buckets) {
                if (random.nextInt(3) == 0) {
                    charges.add(charge(random, bucket));
                }
            }
            requests.addAll(Collections.nCopies(1 + random.nextInt(3), charges));
        }
        return requests;
    }

    private Charge charge(Random random, BucketSpec bucket) {
        long capacity =
                bucket.limits().stream().mapToLong(Limit::capacity).min().orElseThrow();
        long cost = switch (random.nextInt(4)) {
            case 0 -> random.nextInt(2);
            case 1 -> capacity / (1 + random.nextInt(4));
            case 2 -> capacity + 1;
            default -> 1;
        };
        Charge.Kind kind = List.of(
                        Charge.Kind.BINDING,
                        Charge.Kind.BINDING,
                        Charge.Kind.MORE,
                        Charge.Kind.SHADOW,
                        Charge.Kind.LOOK)
                .get(random.nextInt(5));
        Charge charge = new Charge(alice, bucket, cost).as(kind);
        return random.nextInt(3) == 0 ? charge.waiting(random.nextInt(2_000_000_000)) : charge;
    }

    @Test
    void takesAsManyDifferentStepsAsAHostSendsTogether() {
        Duration hour = Duration.ofHours(1);
        BucketSpec bucket =
                bucket("everyone", List.of(Limit.of(100_000, hour), Limit.of(200_000, hour), Limit.of(300_000, hour)));
        List<List<Charge>> requests = new ArrayList<>();
        for (int cost = 1; cost <= 256; cost++) {
            requests.add(List.of(new Charge(alice, bucket, cost)));
        }
        EntryReply reply = decide(SampleCalls.of(requests));
        assertThat(reply.made()).isTrue();
        Moment now = time.at(reply.micros());
        long spent = 256 * 257 / 2;
        assertThat(missing(scripts.read(key).join().entry().read(specs, now).entry(), now)
                        .values())
                .containsExactly(List.of(spent * 36_000, spent * 18_000, spent * 12_000));
    }

    @Test
    void leavesToHostsWhatIsOfOtherLimits() {
        EntryCall first = SampleCalls.spend(0, 1, 1, bucket("everyone", List.of(Limit.of(10, Duration.ofMinutes(1)))));
        EntryCall second = SampleCalls.spend(0, 1, 1, bucket("everyone", List.of(Limit.of(5, Duration.ofMinutes(1)))));
        assertThat(decide(first).made()).isTrue();
        byte[] written = scripts.read(key).join().entry().bytes();
        assertThat(decide(second).made()).isFalse();
        assertThat(scripts.read(key).join().entry().bytes()).isEqualTo(written);
    }

    @Test
    void aNameThatBeginsLikeAnotherIsAnother() {
        List<Limit> limits = List.of(Limit.of(10, Duration.ofMinutes(1)));
        assertThat(decide(SampleCalls.spend(0, 1, 1, bucket("every", limits))).made())
                .isTrue();
        assertThat(decide(SampleCalls.spend(0, 1, 1, bucket("everyone", limits)))
                        .made())
                .isTrue();
    }

    private EntryReply decide(EntryCall call) {
        EvenCall even = EvenCall.of(call, specs);
        assertThat(even).isNotNull();
        return scripts.decide(key, even).join();
    }

    @Test
    void aClockThatIsSetBackNeitherFillsABucketNorLocksItsClientOut() {
        BucketSpec minute = bucket("everyone", List.of(Limit.of(10, Duration.ofMinutes(1))));
        assertThat(decide(SampleCalls.spend(0, 1, 10, minute)).made()).isTrue();
        clock.advanceNanos(-Duration.ofHours(1).toNanos());
        EntryReply reply = decide(SampleCalls.spend(0, 1, 1, minute));
        Moment now = time.at(reply.micros());
        assertThat(missing(reply.entry().read(specs, now).entry(), now).values())
                .singleElement()
                .isEqualTo(List.of(60_000_000L));
        clock.advance(Duration.ofSeconds(6));
        assertThat(decide(SampleCalls.spend(0, 1, 1, minute)).made()).isTrue();
        EntryReply left = scripts.read(key).join();
        Moment later = time.at(left.micros());
        assertThat(missing(left.entry().read(specs, later).entry(), later).values())
                .singleElement()
                .isEqualTo(List.of(60_000_000L));
    }

    @Test
    void twoFormsOfOneBucketAreLeftToHosts() {
        BucketSpec older = bucket("everyone", List.of(Limit.of(10, Duration.ofMinutes(1))));
        BucketSpec newer = new BucketSpec("orders", "everyone", 2, older.limits(), StorePolicy.UNSET);
        EntryCall call =
                SampleCalls.of(List.of(List.of(new Charge(alice, older, 1)), List.of(new Charge(alice, newer, 1))));
        assertThat(EvenCall.of(call, specs)).isNull();
    }

    @Test
    void whatCannotBeCountedInDoublesIsLeftToHosts() {
        for (Limit limit : List.of(
                Limit.of(999_983, Duration.ofDays(1)),
                Limit.of(0, Duration.ofSeconds(1)),
                new Limit(10, Duration.ofMinutes(1), 10, Algorithm.SLIDING_WINDOW_LOG, LimitOptions.NONE),
                Limit.of(10, Duration.ofMinutes(1)).with(LimitOptions.NONE.withMinInterval(Duration.ofMillis(5))))) {
            assertThat(EvenCall.of(SampleCalls.spend(0, 1, 1, bucket("everyone", List.of(limit))), specs))
                    .as(limit.toString())
                    .isNull();
        }
    }
}
