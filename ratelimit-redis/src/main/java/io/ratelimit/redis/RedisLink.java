package io.ratelimit.redis;

import com.google.common.base.Throwables;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.ratelimit.TimeSource;
import io.ratelimit.core.bucket.OwnerBreaker;
import io.ratelimit.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs scripts. A connection that brings no answer for some seconds is replaced by a new one: its server may be at another
 * address by now, or the network may have forgotten it. Thread-safe.
 */
final class RedisLink implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RedisLink.class);

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int MOST_ATTEMPTS = 5;
    private static final String CLOSED = "closed prematurely";

    /** Of a master that has become a replica; Redis 6 says it in the middle of another sentence if a script meets it. */
    private static final String READ_ONLY = "READONLY";

    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final RedisNodes nodes;
    private final TimeSource timeSource;
    private final AtomicBoolean renewing = new AtomicBoolean();
    private volatile RedisNodes.Opened opened;
    private volatile long renewedNanos;
    private volatile boolean closed;

    /**
     * Connects.
     *
     * @throws StoreException if that is not possible; then nothing is left to be closed
     */
    RedisLink(RedisNodes nodes, TimeSource timeSource) {
        this.nodes = nodes;
        this.timeSource = timeSource;
        this.renewedNanos = timeSource.nanoTime();
        try {
            this.opened = open(nodes);
        } catch (RuntimeException e) {
            nodes.close();
            throw e;
        }
    }

    /** A server that turns a host away also closes the connection, and of the two, either may be heard of first. */
    private static RedisNodes.Opened open(RedisNodes nodes) {
        StoreException failure = null;
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            try {
                return await(nodes.connect());
            } catch (StoreException e) {
                failure = e;
                if (!String.valueOf(e.getMessage()).contains(CLOSED)) {
                    break;
                }
            }
        }
        throw Objects.requireNonNull(failure);
    }

    /**
     * Waits for an answer of Redis; not to be called by threads that bring such answers.
     *
     * @throws StoreException if it does not come, or is none
     */
    static <T> T await(CompletionStage<T> answer) {
        try {
            return answer.toCompletableFuture().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof StoreException known) {
                throw known;
            }
            throw new StoreException("store-error", "Redis cannot be used: " + reasonOf(e));
        } catch (TimeoutException e) {
            throw new StoreException(
                    "store-timeout", "Redis has not answered within " + PATIENCE.toSeconds() + " seconds");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("store-error", "interrupted while waiting for Redis");
        }
    }

    /** What all causes say, but for those that only repeat the next. */
    private static String reasonOf(ExecutionException failure) {
        List<String> messages = Throwables.getCausalChain(failure).stream()
                .skip(1)
                .map(Throwable::getMessage)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
        return messages.stream()
                .filter(message -> messages.stream().noneMatch(next -> message.endsWith(": " + next)))
                .collect(Collectors.joining(": "));
    }

    /**
     * Runs a script.
     *
     * @param key the only key that it touches
     * @param arguments its arguments
     * @return its answer, on a thread of the connection; fails where there is none, and then it may have run or not
     */
    CompletableFuture<Object> run(Script script, ScriptOutputType type, byte[] key, byte[]... arguments) {
        byte[][] keys = {key};
        RedisNodes.Opened on = opened;
        OwnerBreaker breaker = breakerOf(key);
        long now = timeSource.nanoTime();
        // Each hop by itself: a call of many of them that is under way for long says nothing of its server.
        breaker.asked(now);
        CompletableFuture<Object> answer = new CompletableFuture<>();
        execute(
                () -> send(() -> on.commands().evalsha(script.digest(), type, keys, arguments))
                        .whenComplete((known, failure) -> {
                            if (failure != null && causeOf(failure) instanceof RedisNoScriptException) {
                                // It has not run, and is sent whole.
                                send(() -> on.commands().eval(script.text(), type, keys, arguments))
                                        .whenComplete(
                                                (learnt, unlearnt) -> end(answer, breaker, key, learnt, unlearnt));
                            } else {
                                end(answer, breaker, key, known, failure);
                            }
                        }),
                closing -> end(answer, breaker, key, null, closing));
        if (breaker.silentNanos(now) > SILENCE_NANOS) {
            renew();
        }
        return answer;
    }

    private void execute(Runnable work, Consumer<RejectedExecutionException> otherwise) {
        try {
            nodes.execute(work);
        } catch (RejectedExecutionException closing) {
            otherwise.accept(closing);
        }
    }

    private static CompletionStage<Object> send(Supplier<CompletionStage<Object>> command) {
        try {
            return command.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void end(
            CompletableFuture<Object> answer,
            OwnerBreaker breaker,
            byte[] key,
            @Nullable Object reply,
            @Nullable Throwable failure) {
        breaker.answered();
        if (failure == null) {
            answer.complete(reply);
            return;
        }
        Throwable cause = causeOf(failure);
        String message = String.valueOf(cause.getMessage());
        answer.completeExceptionally(new StoreException("store-error", nameOf(key) + ": " + message));
        if (message.contains(READ_ONLY)) {
            renew();
        }
    }

    private static Throwable causeOf(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }

    /** The new connection is there before the old one goes. */
    private void renew() {
        long now = timeSource.nanoTime();
        if (closed || now - renewedNanos < SILENCE_NANOS || !renewing.compareAndSet(false, true)) {
            return;
        }
        renewedNanos = now;
        execute(this::replace, closing -> renewing.set(false));
    }

    private void replace() {
        connect().whenComplete((fresh, failure) -> {
            renewing.set(false);
            if (failure == null) {
                replaceBy(fresh);
            } else {
                LOG.debug("There is no new connection to Redis in place of a silent one", failure);
            }
        });
    }

    private CompletionStage<RedisNodes.Opened> connect() {
        try {
            return nodes.connect();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private synchronized void replaceBy(RedisNodes.Opened fresh) {
        RedisNodes.Opened old = opened;
        if (closed) {
            fresh.connection().closeAsync();
            return;
        }
        opened = fresh;
        nodes.retire(old);
    }

    /** The breaker of the server that has a key. */
    OwnerBreaker breakerOf(byte[] key) {
        return nodes.breakerOf(key);
    }

    /** How a sentence about that server begins. */
    String nameOf(byte[] key) {
        return nodes.nameOf(key);
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        nodes.close();
    }
}
