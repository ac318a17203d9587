package io.ratelimit.server.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Whoever starts the service with a database that does not do reads one sentence. */
class DatabaseStartTest {

    @TempDir
    private Path folder;

    @Test
    void aFolderThatCannotBeMade() {
        assertThat(refusal("jdbc:h2:file:/proc/x/y"))
                .isEqualTo(
                        "the database jdbc:h2:file:/proc/x/y cannot be used: Error while creating file \"/proc/x\": name"
                                + " one with --db in a folder that this user may write in");
    }

    @Test
    void aFileThatIsDamaged() throws Exception {
        Files.writeString(folder.resolve("long.mv.db"), "nonsense".repeat(2_000));
        Files.writeString(folder.resolve("short.mv.db"), "nonsense");

        for (String name : new String[] {"long", "short"}) {
            assertThat(refusal("jdbc:h2:file:" + folder.resolve(name)))
                    .endsWith(
                            "cannot be used: its file cannot be read, or is damaged, or none of H2's: put back a copy of"
                                    + " it, or name another with --db");
        }
    }

    @Test
    void aPathThatIsRelativeWithoutSayingSo() {
        assertThat(refusal("jdbc:h2:file:foo"))
                .isEqualTo(
                        "the database jdbc:h2:file:foo cannot be used: H2 takes a relative path only with ./ before it:"
                                + " jdbc:h2:file:./ratelimit-rules");
    }

    @Test
    void aUserWhoIsNotLetIn() {
        String url = "jdbc:h2:file:" + folder.resolve("rules");
        Database.open(new DatabaseSettings(url, "ann", "geheim")).close();

        assertThat(refusal(url))
                .endsWith("cannot be used: Wrong user name or password (see --db-user and RATELIMIT_DB_PASSWORD)");
    }

    @Test
    void aServerThatDoesNotAnswer() {
        assertThat(refusal("jdbc:postgresql://127.0.0.1:1/rules"))
                .startsWith("the database jdbc:postgresql://127.0.0.1:1/rules cannot be used: ")
                .contains("refused")
                .endsWith("(is it running, is its URL right, may this user make tables?)");
    }

    /** What the start is refused with, if nothing else is told anywhere. */
    private static String refusal(String url) {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.addAppender(log);
        PrintStream before = System.err;
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        try {
            DatabaseStartException refused = catchThrowableOfType(
                    DatabaseStartException.class, () -> Database.open(new DatabaseSettings(url, null, null)));
            assertThat(log.list).isEmpty();
            assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
            return String.valueOf(refused.getMessage());
        } finally {
            System.setErr(before);
            root.detachAppender(log);
        }
    }
}
