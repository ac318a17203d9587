package io.ratelimit.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.server.access.AccessToken;
import io.ratelimit.server.access.Grant;
import io.ratelimit.server.access.Role;
import io.ratelimit.server.access.Tokens;
import io.ratelimit.server.audit.AuditLog;
import io.ratelimit.server.database.Database;
import io.ratelimit.server.database.DatabaseSettings;
import io.ratelimit.server.rules.RulesVersion;
import io.ratelimit.server.rules.ServiceName;
import jakarta.ws.rs.sse.OutboundSseEvent;
import jakarta.ws.rs.sse.Sse;
import jakarta.ws.rs.sse.SseBroadcaster;
import jakarta.ws.rs.sse.SseEventSink;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.glassfish.jersey.media.sse.OutboundEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whose streams are told, whose are ended, and what becomes of them while the database is away. */
class EventStreamsTest {

    private static final ServiceName ORDERS = new ServiceName("orders");

    private final ManualClock clock = new ManualClock();
    private final Database database = Database.open(new DatabaseSettings("jdbc:h2:mem:streams", null, null));
    private final Tokens tokens = new Tokens(database, new AuditLog(database, clock), clock);
    private final EventStreams streams = new EventStreams(tokens, Runnable::run, clock);
    private final Client client = new Client();

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void aStreamWhoseTokenIsRevokedIsEndedWithTheNextSignOfLife() {
        AccessToken token = token(null);
        open(token);
        streams.keepAlive();
        assertThat(client.isClosed()).isFalse();

        tokens.revoke(token.id(), "ann");
        streams.keepAlive();

        assertThat(client.isClosed()).isTrue();
        assertThat(streams.count()).isZero();
    }

    @Test
    void aStreamWhoseTokenIsOverIsToldNothing() {
        Instant end = clock.now.plusSeconds(60);
        open(token(end));
        streams.published(version(2));

        clock.now = end;
        streams.published(version(3));

        assertThat(client.told).containsExactly("1", "2");
        assertThat(client.isClosed()).isTrue();
    }

    @Test
    void nobodyHearsOfAnOlderVersionAfterANewerOne() {
        open(token(null));

        streams.published(version(3));
        streams.published(version(2));

        assertThat(client.told).containsExactly("1", "3");
    }

    @Test
    void aDatabaseThatIsAwayEndsNoStreamAndTellsOfThePublicationWhenItIsBack() {
        open(token(null));

        database.inTransaction(handle -> handle.execute("alter table access_token rename to away"));
        streams.published(version(2));
        streams.keepAlive();
        assertThat(client.told).containsExactly("1");
        assertThat(client.signsOfLife).isEqualTo(1);
        assertThat(client.isClosed()).isFalse();

        database.inTransaction(handle -> handle.execute("alter table away rename to access_token"));
        streams.keepAlive();
        streams.keepAlive();

        assertThat(client.told).containsExactly("1", "2");
        assertThat(client.isClosed()).isFalse();
    }

    private AccessToken token(Instant end) {
        return tokens.create("host", Grant.of(Role.HOST, ORDERS), end, "ann").token();
    }

    private void open(AccessToken token) {
        streams.open(token, ORDERS, () -> version(1), client, new Events());
    }

    private RulesVersion version(long number) {
        return new RulesVersion(ORDERS, number, clock.now, "ann", "", 1, "0badcafe", null);
    }

    private static final class Client implements SseEventSink {

        private final List<String> told = new ArrayList<>();
        private int signsOfLife;
        private boolean closed;

        @Override
        public boolean isClosed() {
            return closed;
        }

        @Override
        public CompletionStage<?> send(OutboundSseEvent event) {
            if (event.getId() == null) {
                signsOfLife++;
            } else {
                told.add(event.getId());
            }
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private static final class Events implements Sse {

        @Override
        public OutboundSseEvent.Builder newEventBuilder() {
            return new OutboundEvent.Builder();
        }

        @Override
        public SseBroadcaster newBroadcaster() {
            throw new UnsupportedOperationException();
        }
    }

    private static final class ManualClock extends Clock {

        private Instant now = Instant.parse("2026-01-01T00:00:00Z");

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException();
        }
    }
}
