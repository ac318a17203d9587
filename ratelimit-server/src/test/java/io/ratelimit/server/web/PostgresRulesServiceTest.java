package io.ratelimit.server.web;

import io.ratelimit.server.database.DatabaseSettings;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.junit.jupiter.api.AfterAll;

class PostgresRulesServiceTest extends RulesServiceContract {

    private EmbeddedPostgres postgres;

    @Override
    DatabaseSettings database() throws Exception {
        postgres = EmbeddedPostgres.start();
        return new DatabaseSettings(postgres.getJdbcUrl("postgres", "postgres"), null, null);
    }

    @AfterAll
    void stopPostgres() throws Exception {
        postgres.close();
    }
}
