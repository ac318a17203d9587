package io.ratelimit.server.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseSettingsTest {

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:h2:file:./rules", "jdbc:h2:./rules", "jdbc:h2:file:./a/../rules;IFEXISTS=TRUE"})
    void aFileIsNamedByItsWholePathWhereverTheServiceIsStarted(String url) {
        assertThat(location(url))
                .isEqualTo(Path.of("rules.mv.db").toAbsolutePath().toString());
    }

    @Test
    void aFileInTheUsersHomeIsNamedByItsWholePath() {
        assertThat(location("jdbc:h2:~/rules"))
                .isEqualTo(
                        Path.of(System.getProperty("user.home"), "rules.mv.db").toString());
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:h2:file:/var/lib/rules, /var/lib/rules.mv.db",
        "jdbc:h2:mem:demo, jdbc:h2:mem:demo",
        "jdbc:h2:tcp://127.0.0.1/rules;PASSWORD=geheim, jdbc:h2:tcp://127.0.0.1/rules",
        "jdbc:postgresql://127.0.0.1/rules, jdbc:postgresql://127.0.0.1/rules",
        "jdbc:postgresql://ann:geheim@127.0.0.1/rules?password=geheim, jdbc:postgresql://127.0.0.1/rules"
    })
    void noSecretIsShown(String url, String shown) {
        assertThat(location(url)).isEqualTo(shown);
    }

    private static String location(String url) {
        return new DatabaseSettings(url, null, null).location();
    }
}
