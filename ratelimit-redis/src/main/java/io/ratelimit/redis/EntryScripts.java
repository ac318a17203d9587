package io.ratelimit.redis;

import io.lettuce.core.ScriptOutputType;
import io.ratelimit.core.algorithm.Moment;
import io.ratelimit.core.entry.ClientEntry;
import io.ratelimit.core.entry.EvenCall;
import io.ratelimit.core.wire.SpecForm;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The scripts that change clients' entries. Thread-safe. */
final class EntryScripts {

    /** Redis would take what is far beyond for a time in the past. */
    private static final long MOST_MILLIS = TimeUnit.DAYS.toMillis(100 * 365);

    private static final byte[] NO_STEPS = new byte[Double.BYTES];

    private final RedisLink link;
    private final RedisTime time;

    EntryScripts(RedisLink link, RedisTime time) {
        this.link = link;
        this.time = time;
    }

    /** Has the server make a call, if it can. */
    CompletableFuture<EntryReply> decide(byte[] key, EvenCall call) {
        List<SpecForm> buckets = call.buckets();
        byte[][] arguments = new byte[2 + buckets.size()][];
        arguments[0] = time.argument();
        arguments[1] = call.numbers();
        for (int i = 0; i < buckets.size(); i++) {
            arguments[2 + i] = buckets.get(i).bytes();
        }
        return run(Script.DECIDE, key, arguments);
    }

    /** Reads an entry. */
    CompletableFuture<EntryReply> read(byte[] key) {
        return run(Script.DECIDE, key, new byte[][] {time.argument(), NO_STEPS});
    }

    /**
     * Writes an entry, if it is still as it was.
     *
     * @param before the entry as it was
     * @param after the entry as it is to be
     * @param now the time
     */
    CompletableFuture<EntryReply> swap(byte[] key, StoredEntry before, ClientEntry after, Moment now) {
        // Rounded up, and for as long as the answer to a script may take that began a moment ago.
        long millis = Math.min(TimeUnit.NANOSECONDS.toMillis(after.keptNanos(now)) + 1, MOST_MILLIS);
        return run(Script.SWAP, key, new byte[][] {
            time.argument(), before.bytes(), StoredEntry.of(after, now).bytes(), ascii(millis)
        });
    }

    private CompletableFuture<EntryReply> run(Script script, byte[] key, byte[][] arguments) {
        return link.run(script, ScriptOutputType.VALUE, key, arguments).thenApply(EntryReply::of);
    }

    private static byte[] ascii(long number) {
        return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
    }
}
