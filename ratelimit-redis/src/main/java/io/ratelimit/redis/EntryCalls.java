package io.ratelimit.redis;

import io.ratelimit.core.algorithm.LimitAlgorithm;
import io.ratelimit.core.algorithm.Moment;
import io.ratelimit.core.bucket.OwnerBreaker;
import io.ratelimit.core.entry.ClientEntry;
import io.ratelimit.core.entry.EntryAnswer;
import io.ratelimit.core.entry.EntryCall;
import io.ratelimit.core.entry.EntryEdit;
import io.ratelimit.core.entry.EntryKey;
import io.ratelimit.core.entry.EvenCall;
import io.ratelimit.core.entry.EvenCalls;
import io.ratelimit.core.entry.KnownSpecs;
import io.ratelimit.core.entry.Owners;
import io.ratelimit.store.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes calls on clients' entries in Redis. Where all limits refill evenly, a script makes the call, in one hop however many
 * hosts ask; this host makes it once more on the entry that the script found, for the answer. All else this host makes on the
 * entry that it has read, and writes the result if the entry is still the same, or else begins again. Thread-safe.
 */
final class EntryCalls implements Owners {

    private static final Logger LOG = LoggerFactory.getLogger(EntryCalls.class);

    private static final long NANOS_PER_TICK = 1_000;

    /** All servers' clocks are taken for one: after a failover another goes on, by the wall clock too. */
    private static final long CLOCK_ID = 1;

    /** So many others may be faster. */
    private static final int MOST_ATTEMPTS = 100;

    private final RedisLink link;
    private final KeyNames names;
    private final EntryScripts scripts;
    private final RedisTime time;
    private final KnownSpecs specs = new KnownSpecs(limit -> LimitAlgorithm.of(limit, NANOS_PER_TICK));
    private final EvenCalls evenCalls = new EvenCalls(specs);

    EntryCalls(RedisLink link, KeyNames names, RedisTime time) {
        this.link = link;
        this.names = names;
        this.scripts = new EntryScripts(link, time);
        this.time = time;
    }

    @Override
    public CompletableFuture<EntryAnswer> call(EntryKey key, EntryCall call) {
        return new Attempts(names.entry(key), call.madeOnce()).begin();
    }

    @Override
    public OwnerBreaker breakerOf(EntryKey key) {
        return link.breakerOf(names.entry(key));
    }

    @Override
    public String nameOf(EntryKey key) {
        return link.nameOf(names.entry(key));
    }

    /** One call, until it is made. Each step comes after the one before it, on the thread that brings Redis's answer. */
    private final class Attempts {

        private final byte[] key;
        private final EntryCall call;
        private final CompletableFuture<EntryAnswer> answer = new CompletableFuture<>();
        private int swaps;

        private Attempts(byte[] key, EntryCall call) {
            this.key = key;
            this.call = call;
        }

        private CompletableFuture<EntryAnswer> begin() {
            try {
                EvenCall even = evenCalls.of(call);
                if (even == null) {
                    after(scripts.read(key), this::make);
                } else {
                    after(scripts.decide(key, even), this::decided);
                }
            } catch (RuntimeException e) {
                answer.completeExceptionally(e);
            }
            return answer;
        }

        private void decided(EntryReply reply) {
            Moment now = time.at(reply.micros());
            ReadEntry read = reply.entry().read(specs, now);
            if (!reply.made() || read.isDamaged()) {
                make(reply, read, now);
                return;
            }
            answer.complete(call.apply(edit(read, now)));
            if (reply.immortal()) {
                new Attempts(key, EntryCall.REWRITE).make(reply, read, now);
            }
        }

        /** Makes the call here. */
        private void make(EntryReply reply) {
            Moment now = time.at(reply.micros());
            make(reply, reply.entry().read(specs, now), now);
        }

        private void make(EntryReply reply, ReadEntry read, Moment now) {
            EntryEdit edit = edit(read, now);
            EntryAnswer made = call.apply(edit);
            if (reply.immortal() || read.isToBeWritten()) {
                EntryCall.REWRITE.apply(edit);
            }
            ClientEntry changed = edit.result();
            if (changed == null) {
                answer.complete(made);
            } else if (swaps++ == MOST_ATTEMPTS) {
                throw new StoreException("store-error", "other hosts change this client's entry all the time");
            } else {
                after(scripts.swap(key, reply.entry(), changed, now), swapped -> {
                    if (swapped.made()) {
                        answer.complete(made);
                    } else {
                        make(swapped);
                    }
                });
            }
        }

        private EntryEdit edit(ReadEntry read, Moment now) {
            return new EntryEdit(read.entry(), specs, now, CLOCK_ID);
        }

        private void after(CompletableFuture<EntryReply> reply, Consumer<EntryReply> next) {
            reply.whenComplete((arrived, failure) -> {
                try {
                    if (failure == null) {
                        next.accept(arrived);
                        return;
                    }
                    fail(failure);
                } catch (RuntimeException | Error e) {
                    // Nobody else hears of it here.
                    fail(e);
                }
            });
        }

        private void fail(Throwable failure) {
            if (!answer.completeExceptionally(failure)) {
                LOG.debug("An entry without expiry could not be given one", failure);
            }
        }
    }
}
