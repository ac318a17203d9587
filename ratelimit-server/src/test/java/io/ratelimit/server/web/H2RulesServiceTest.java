package io.ratelimit.server.web;

import io.ratelimit.server.database.DatabaseSettings;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class H2RulesServiceTest extends RulesServiceContract {

    @TempDir
    static Path directory;

    @Override
    DatabaseSettings database() {
        return new DatabaseSettings("jdbc:h2:file:" + directory.resolve("rules"), null, null);
    }
}
