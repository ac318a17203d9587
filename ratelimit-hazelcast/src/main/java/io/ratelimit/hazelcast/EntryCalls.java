package io.ratelimit.hazelcast;

import com.hazelcast.map.IMap;
import com.hazelcast.map.impl.proxy.MapProxyImpl;
import io.ratelimit.core.bucket.OwnerBreaker;
import io.ratelimit.core.entry.EntryAnswer;
import io.ratelimit.core.entry.EntryCall;
import io.ratelimit.core.entry.EntryKey;
import io.ratelimit.core.entry.Owners;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends processors to the owners of entries. Answers are completed on Hazelcast's threads, so what follows them must be
 * small. Thread-safe.
 *
 * <p>On a host with one or two processors, {@code submitToKey} starts a thread for each call, only to complete its own
 * future, and a decision takes six times as long as with more processors. So on a member the call beneath it is used,
 * which is not part of Hazelcast's API: where another version does not have it, {@code submitToKey} is what remains.
 */
final class EntryCalls implements Owners {

    private static final Logger LOG = LoggerFactory.getLogger(EntryCalls.class);
    private static final Executor ON_ANSWERING_THREAD = Runnable::run;

    private final IMap<UUID, ClientBuckets> map;
    private final OwnerBreakers breakers;
    private volatile @Nullable MapProxyImpl<UUID, ClientBuckets> member;

    EntryCalls(IMap<UUID, ClientBuckets> map, OwnerBreakers breakers) {
        this.map = map;
        this.breakers = breakers;
        this.member = memberMap(map);
    }

    @Override
    public CompletableFuture<EntryAnswer> call(EntryKey key, EntryCall call) {
        return call(key.client(), call);
    }

    /** As {@link #call(EntryKey, EntryCall)}, for an entry whose service nobody need know. */
    CompletableFuture<EntryAnswer> call(UUID key, EntryCall call) {
        BucketProcessor processor = new BucketProcessor(call);
        CompletableFuture<EntryAnswer> answer = new CompletableFuture<>();
        try {
            send(key, processor, answer);
        } catch (IllegalThreadStateException e) {
            // Hazelcast lets nobody send on its own threads, which is where answers come.
            CompletableFuture.runAsync(() -> send(key, processor, answer)).exceptionally(failure -> {
                answer.completeExceptionally(failure);
                return null;
            });
        } catch (RuntimeException e) {
            answer.completeExceptionally(e);
        }
        return answer;
    }

    @Override
    public OwnerBreaker breakerOf(EntryKey key) {
        return breakers.of(key.client());
    }

    @Override
    public String nameOf(EntryKey key) {
        return breakers.ownerOf(key.client());
    }

    private void send(UUID key, BucketProcessor processor, CompletableFuture<EntryAnswer> answer) {
        MapProxyImpl<UUID, ClientBuckets> direct = member;
        if (direct != null) {
            try {
                complete(direct.executeOnKeyInternal(key, processor), answer, direct);
                return;
            } catch (LinkageError e) {
                LOG.info("This version of Hazelcast is called by its public methods only: {}", e.toString());
                member = null;
            }
        }
        complete(map.submitToKey(key, processor), answer, null);
    }

    private static void complete(
            CompletionStage<?> call,
            CompletableFuture<EntryAnswer> answer,
            @Nullable MapProxyImpl<UUID, ClientBuckets> serialized) {
        call.whenCompleteAsync(
                (result, failure) -> {
                    if (failure != null) {
                        answer.completeExceptionally(failure);
                        return;
                    }
                    try {
                        Object read = serialized == null
                                ? result
                                : serialized
                                        .getNodeEngine()
                                        .getSerializationService()
                                        .toObject(result);
                        answer.complete(((BucketAnswer) read).answer());
                    } catch (RuntimeException e) {
                        answer.completeExceptionally(e);
                    }
                },
                ON_ANSWERING_THREAD);
    }

    @SuppressWarnings("unchecked")
    private static @Nullable MapProxyImpl<UUID, ClientBuckets> memberMap(IMap<UUID, ClientBuckets> map) {
        try {
            return map instanceof MapProxyImpl<?, ?> proxy ? (MapProxyImpl<UUID, ClientBuckets>) proxy : null;
        } catch (LinkageError e) {
            return null;
        }
    }
}
