package io.ratelimit.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.server.audit.AuditLog;
import io.ratelimit.server.database.Database;
import io.ratelimit.server.database.DatabaseSettings;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;

class TokensTest {

    private final Database database = Database.open(new DatabaseSettings("jdbc:h2:mem:tokens", null, null));
    private final Clock clock = Clock.systemUTC();
    private final Tokens tokens = new Tokens(database, new AuditLog(database, clock), clock);
    private final ExecutorService people = Executors.newFixedThreadPool(2);

    @AfterEach
    void close() {
        people.shutdownNow();
        database.close();
    }

    @RepeatedTest(10)
    void ofTwoAdminsWhoRevokeEachOtherAtOnceOneStays() throws Exception {
        long ann = tokens.create("ann", Grant.ofAll(Role.ADMIN), null, "test")
                .token()
                .id();
        long bob = tokens.create("bob", Grant.ofAll(Role.ADMIN), null, "test")
                .token()
                .id();
        CyclicBarrier start = new CyclicBarrier(2);

        List<Future<Boolean>> revoked = List.of(
                people.submit(() -> revokes(start, bob, "ann")), people.submit(() -> revokes(start, ann, "bob")));

        assertThat(revoked.get(0).get()).isNotEqualTo(revoked.get(1).get());
        assertThat(tokens.list())
                .filteredOn(token -> token.isValid(clock.instant()))
                .hasSize(1);
    }

    private boolean revokes(CyclicBarrier start, long id, String actor) throws Exception {
        start.await();
        try {
            return tokens.revoke(id, actor);
        } catch (IllegalStateException e) {
            return false;
        }
    }
}
