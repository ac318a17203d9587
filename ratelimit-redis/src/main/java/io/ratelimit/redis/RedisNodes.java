package io.ratelimit.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisException;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import io.lettuce.core.protocol.RedisCommand;
import io.ratelimit.core.bucket.OwnerBreaker;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** The servers that have the entries. Thread-safe. */
interface RedisNodes extends AutoCloseable {

    /** So many calls without an answer are enough to know. */
    int MOST_UNANSWERED = 10_000;

    /**
     * A connection, and the calls that can be made on it.
     *
     * @param connection the connection, which finds back to its server by itself
     * @param commands the calls
     */
    record Opened(
            StatefulConnection<byte[], byte[]> connection, RedisScriptingAsyncCommands<byte[], byte[]> commands) {}

    /** Connects. */
    CompletionStage<Opened> connect();

    /**
     * Does something with a connection where its own thread may do it: Netty leaves something behind on each thread that
     * calls it, and threads of the application must not keep that beyond the application.
     */
    void execute(Runnable work);

    /** Closes a connection once the calls on it have had time to end. */
    void retire(Opened old);

    /** The breaker of the server that has a key. */
    OwnerBreaker breakerOf(byte[] key);

    /** How a sentence about that server begins. */
    String nameOf(byte[] key);

    /** Releases all threads and connections. */
    @Override
    void close();

    /** Of a connection that has broken. Left to itself, a command that is not sent again may never end. */
    private static boolean drop(RedisCommand<?, ?, ?> command) {
        command.completeExceptionally(new RedisException("The connection was lost before an answer came"));
        return true;
    }

    /** A call is made once, or not at all: whether one was made whose connection has broken is not known. */
    static <B extends ClientOptions.Builder> B once(B options) {
        options.autoReconnect(true)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .replayFilter(RedisNodes::drop)
                .requestQueueSize(MOST_UNANSWERED)
                // How long an answer is of use, the rules say; an owner that is silent must not seem to have answered.
                .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(Duration.ofSeconds(2))
                        .keepAlive(true)
                        .build());
        return options;
    }
}
