package io.ratelimit.client;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One daemon. While it is away it is asked whether it is back, one question at a time, and nobody waits for that. One line in
 * the log says that it is away, one that it decides again. Thread-safe.
 */
final class Daemon {

    /** So long may a question take that no request waits for. */
    static final Duration PATIENCE = Duration.ofSeconds(1);

    /** So long must it have decided without a break before it is said to decide again. */
    private static final long QUIET_NANOS = Duration.ofSeconds(5).toNanos();

    private static final Logger LOG = System.getLogger(RemoteRateLimiter.class.getName());

    /** No daemon reads a longer one. */
    private static final int MOST_CHARACTERS = 1 << 20;

    private static final int TOO_LARGE = 413;

    /** RFC 6750, section 2.1. */
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/-]+=*");

    private final String address;
    private final Transport transport;
    private final Supplier<@Nullable String> token;
    private final Duration deadline;
    private final Breaker breaker = new Breaker();
    private final Settlements settlements = new Settlements(this::settle);
    private final AtomicBoolean isAsking = new AtomicBoolean();
    private final AtomicBoolean isMissed = new AtomicBoolean();
    private volatile long missedNanos;
    private volatile boolean closed;

    /**
     * Asks nothing yet.
     *
     * @param address where it is, for messages
     * @param transport the way there; closed with this
     * @param token gives the bearer token, or null for none
     * @param deadline the time after which an answer is of no use for a request
     */
    Daemon(String address, Transport transport, Supplier<@Nullable String> token, Duration deadline) {
        this.address = address;
        this.transport = transport;
        this.token = token;
        this.deadline = deadline;
    }

    String address() {
        return address;
    }

    boolean isAway() {
        return breaker.isOpen();
    }

    /**
     * Asks for a decision. It may come later than it is of use: that it was made is known then.
     *
     * @param question a {@link Question}
     * @return the decision, or a failure
     */
    CompletableFuture<DaemonDecision> decide(String question) {
        if (question.length() > MOST_CHARACTERS) {
            // Else all calls under way could hold many times the heap.
            return CompletableFuture.failedFuture(new RefusedCallException(TOO_LARGE));
        }
        return decide(question, deadline.compareTo(PATIENCE) > 0 ? deadline : PATIENCE);
    }

    private CompletableFuture<DaemonDecision> decide(String question, Duration patience) {
        return send("POST", "/v1/decide", Map.of(), question, patience)
                .thenApply(reply -> DecisionReader.read(accepted(reply).body(), settlements::of));
    }

    /**
     * Sends a request, with the token.
     *
     * @param headers the header beside the token
     * @return the answer, whatever its status
     */
    CompletableFuture<Reply> send(
            String method, String path, Map<String, String> headers, @Nullable String body, Duration patience) {
        try {
            Map<String, String> all = new LinkedHashMap<>(headers);
            if (body != null) {
                all.put("Content-Type", "application/json");
            }
            String secret = token.get();
            if (secret != null) {
                all.put("Authorization", "Bearer " + checked(secret));
            }
            return transport.send(method, path, all, body, patience);
        } catch (RuntimeException | LinkageError e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** A token that cannot be sent would be shown in the message that says so. */
    private static String checked(String token) {
        if (!TOKEN.matcher(token).matches()) {
            throw new IllegalArgumentException("the token holds characters that RFC 6750 does not allow in one: give it"
                    + " alone, without 'Bearer', quotes, spaces or line breaks");
        }
        return token;
    }

    private CompletableFuture<Reply> settle(String outcomes) {
        return send("POST", "/v1/settle", Map.of(), outcomes, PATIENCE).thenApply(Daemon::accepted);
    }

    private static Reply accepted(Reply reply) {
        if (reply.status() != 200) {
            throw new CompletionException(new RefusedCallException(reply.status()));
        }
        return reply;
    }

    /** A request has got its decision in time. */
    void decided() {
        breaker.succeeded();
        boolean isOver = isMissed.get() && System.nanoTime() - missedNanos > QUIET_NANOS;
        if (isOver && isMissed.compareAndSet(true, false)) {
            LOG.log(Level.INFO, "The daemon at {0} decides again", address);
        }
    }

    /** A request has got its decision too late. */
    void decidedLate() {
        breaker.answeredLate();
    }

    /** A request has not got its decision in time. */
    void failed(Throwable failure) {
        if (breaker.failed()) {
            beginToAsk(failure);
        }
    }

    /**
     * Asks whether it is there, so that all is in place for the first request.
     *
     * @return completes normally, at the latest when nobody has patience any more
     */
    CompletableFuture<Void> greet() {
        return answersInTime().handle((there, failure) -> {
            if (failure != null && breaker.open()) {
                beginToAsk(failure);
            }
            return null;
        });
    }

    private void beginToAsk(Throwable failure) {
        missedNanos = System.nanoTime();
        if (isMissed.compareAndSet(false, true)) {
            LOG.log(
                    Level.WARNING,
                    "The daemon at {0} is away, and is asked again and again: {1}",
                    address,
                    causeOf(failure));
        }
        askLater();
    }

    private void askLater() {
        if (isAsking.compareAndSet(false, true)) {
            CompletableFuture.delayedExecutor(breaker.nextPause().toNanos(), TimeUnit.NANOSECONDS)
                    .execute(this::askWhetherItIsBack);
        }
    }

    private void askWhetherItIsBack() {
        if (closed || !breaker.isOpen()) {
            stopAsking();
            return;
        }
        answersInTime().whenComplete((there, failure) -> {
            if (failure == null) {
                breaker.close();
            }
            stopAsking();
        });
    }

    private void stopAsking() {
        isAsking.set(false);
        if (!closed && breaker.isOpen()) {
            askLater();
        }
    }

    /** The first answer may have to wait for a connection, the second shows how it would be for a request. */
    private CompletableFuture<DaemonDecision> answersInTime() {
        return decide(Question.WHETHER_YOU_ARE_THERE, PATIENCE)
                .thenCompose(connected -> decide(Question.WHETHER_YOU_ARE_THERE, deadline));
    }

    static Throwable causeOf(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }

    /**
     * Sends what is left to be settled, and asks no more.
     *
     * @param endNanos until when it may take, by {@link System#nanoTime}
     */
    void close(long endNanos) {
        closed = true;
        settlements.close(endNanos);
        try {
            transport.close();
        } catch (RuntimeException | LinkageError e) {
            LOG.log(Level.WARNING, "The connection to the daemon at " + address + " could not be closed", e);
        }
    }
}
