package io.ratelimit.server.api;

import io.ratelimit.server.access.AccessToken;
import io.ratelimit.server.access.Tokens;
import io.ratelimit.server.database.DatabaseUnavailableException;
import io.ratelimit.server.rules.RulesVersion;
import io.ratelimit.server.rules.ServiceName;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.sse.OutboundSseEvent;
import jakarta.ws.rs.sse.Sse;
import jakarta.ws.rs.sse.SseEventSink;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The streams of those who listen for publications. No event is sent to a stream whose token is revoked or over, at whatever
 * process; it is ended soon. Each stream ends after some minutes and is opened anew by whoever still listens. Thread-safe.
 */
public final class EventStreams implements AutoCloseable {

    /** Hosts take a stream that is silent for longer than three of these for cut. */
    public static final Duration BETWEEN_SIGNS_OF_LIFE = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(EventStreams.class);
    private static final Duration LONGEST = Duration.ofMinutes(10);
    private static final int MOST = 2_000;

    private final Set<Stream> streams = ConcurrentHashMap.newKeySet();

    /** They wait here while it cannot be seen whose tokens are valid. */
    private final Map<ServiceName, RulesVersion> untold = new ConcurrentHashMap<>();

    private final Tokens tokens;
    private final Executor sending;
    private final Clock clock;

    /**
     * Makes the streams.
     *
     * @param tokens the tokens that streams are opened with
     * @param sending where events are sent: a client that does not read may hold a thread up where there is no room for
     *     what waits for it
     * @param clock tells when streams end
     */
    public EventStreams(Tokens tokens, Executor sending, Clock clock) {
        this.tokens = tokens;
        this.sending = sending;
        this.clock = clock;
    }

    /**
     * How many listen.
     *
     * @return the number of streams
     */
    public int count() {
        return streams.size();
    }

    boolean isFull() {
        return streams.size() >= MOST;
    }

    /** Listens first and looks then, so that nothing is missed that is published meanwhile. */
    void open(AccessToken token, ServiceName service, Supplier<RulesVersion> current, SseEventSink sink, Sse sse) {
        Stream stream =
                new Stream(token.id(), service, sink, sse, clock.instant().plus(LONGEST), new AtomicLong());
        streams.add(stream);
        try {
            tell(stream, current.get());
        } catch (RuntimeException e) {
            streams.remove(stream);
            throw e;
        }
    }

    /**
     * Tells those who listen to the service.
     *
     * @param version what was published
     */
    public void published(RulesVersion version) {
        untold.put(version.service(), version);
        sending.execute(this::tell);
    }

    /** Shows each client that its stream is alive, and ends those that are old or whose token is. */
    public void keepAlive() {
        Instant now = clock.instant();
        for (Stream stream : streams) {
            if (now.isAfter(stream.end())) {
                sending.execute(() -> end(stream));
            } else {
                sending.execute(() -> send(
                        stream, stream.sse().newEventBuilder().comment("alive").build()));
            }
        }
        sending.execute(this::tell);
    }

    /**
     * Tells what is not told yet, and ends the streams whose tokens are not valid, unless the database is away. One call
     * after the other, so that nobody hears of an older version after a newer one.
     */
    private synchronized void tell() {
        // In this order: whoever begins to listen from here on looks at what is in force by itself.
        Map<ServiceName, RulesVersion> news = new HashMap<>(untold);
        news.entrySet().removeIf(taken -> !untold.remove(taken.getKey(), taken.getValue()));
        List<Stream> listening = List.copyOf(streams);
        Set<Long> valid;
        try {
            valid = tokens.valid();
        } catch (RuntimeException e) {
            LOG.atLevel(e instanceof DatabaseUnavailableException ? Level.DEBUG : Level.WARN)
                    .setCause(e)
                    .log("Whose tokens are valid is not known now: events wait, and no stream is ended");
            news.forEach(untold::putIfAbsent);
            return;
        }
        for (Stream stream : listening) {
            RulesVersion version = news.get(stream.service());
            if (!valid.contains(stream.token())) {
                sending.execute(() -> end(stream));
            } else if (version != null) {
                sending.execute(() -> tell(stream, version));
            }
        }
    }

    /** The threads that send may overtake each other: what is not newer than what was told is not told. */
    private void tell(Stream stream, RulesVersion version) {
        synchronized (stream.told()) {
            if (version.number() > stream.told().get()) {
                stream.told().set(version.number());
                send(stream, published(stream.sse(), version));
            }
        }
    }

    private void send(Stream stream, OutboundSseEvent event) {
        if (stream.sink().isClosed()) {
            streams.remove(stream);
            return;
        }
        stream.sink().send(event).whenComplete((sent, failure) -> {
            if (failure != null) {
                end(stream);
            }
        });
    }

    private void end(Stream stream) {
        streams.remove(stream);
        try {
            stream.sink().close();
        } catch (IOException e) {
            // The client is gone, which is as good as closed.
            LOG.debug("A stream of events could not be closed", e);
        }
    }

    private static OutboundSseEvent published(Sse sse, RulesVersion version) {
        return sse.newEventBuilder()
                .id(Long.toString(version.number()))
                .name("published")
                .mediaType(MediaType.APPLICATION_JSON_TYPE)
                .data(new Event(version.number(), '"' + version.tag() + '"'))
                .build();
    }

    @Override
    public void close() {
        streams.forEach(this::end);
    }

    /**
     * What an event tells.
     *
     * @param version the number of the version in force
     * @param tag its entity tag as HTTP has it, quotes included
     */
    record Event(long version, String tag) {}

    /**
     * Compared by identity of its sink, which each client has for itself.
     *
     * @param told the number of the newest version that was told, or 0
     */
    private record Stream(long token, ServiceName service, SseEventSink sink, Sse sse, Instant end, AtomicLong told) {}
}
