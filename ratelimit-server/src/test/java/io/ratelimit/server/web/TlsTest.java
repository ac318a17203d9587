package io.ratelimit.server.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ratelimit.core.SelfSigned;
import io.ratelimit.server.access.NewToken;
import io.ratelimit.server.database.DatabaseSettings;
import io.ratelimit.server.listen.Listening;
import io.ratelimit.server.listen.ServerStartException;
import io.ratelimit.server.listen.TlsSettings;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsTest {

    @TempDir
    static Path directory;

    private static Path keys;

    @BeforeAll
    static void makeKeys() throws Exception {
        keys = SelfSigned.in(directory).store();
    }

    @Test
    void answersByHttpsAndTellsBrowsersToStayThere() throws Exception {
        AtomicReference<NewToken> first = new AtomicReference<>();
        try (RulesServer server = RulesServer.start(settings("secure", SelfSigned.PASSWORD), first::set)) {
            HttpClient client = HttpClient.newBuilder().sslContext(trusting()).build();

            HttpResponse<String> page = client.send(
                    HttpRequest.newBuilder(server.uri().resolve("/sign-in")).build(),
                    HttpResponse.BodyHandlers.ofString());
            HttpResponse<String> signedIn = client.send(
                    HttpRequest.newBuilder(server.uri().resolve("/sign-in"))
                            .header("Content-Type", "application/x-www-form-urlencoded")
                            .POST(HttpRequest.BodyPublishers.ofString(
                                    "token=" + first.get().secret()))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());

            assertThat(server.uri()).hasScheme("https");
            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(page.headers().firstValue("Strict-Transport-Security")).isPresent();
            assertThat(signedIn.headers().firstValue("Set-Cookie").orElse(""))
                    .contains("Secure", "HttpOnly", "SameSite=Lax");
        }
    }

    @Test
    void saysWhatIsWrongWithKeysThatCannotBeRead() {
        assertThatThrownBy(() -> RulesServer.start(settings("wrong", "wrong"), token -> {}))
                .isInstanceOf(ServerStartException.class)
                .hasMessageContaining("api.p12")
                .hasMessageEndingWith("its password as RATELIMIT_TLS_PASSWORD");
        assertThatThrownBy(() -> RulesServer.start(settings("wrong", ""), token -> {}))
                .hasMessageEndingWith("its password as RATELIMIT_TLS_PASSWORD, which is not set");
    }

    @Test
    void givesOutNoTokenWhileTheKeysCannotBeRead() throws Exception {
        DatabaseSettings database = new DatabaseSettings("jdbc:h2:file:" + directory.resolve("rules"), null, null);
        List<NewToken> given = new ArrayList<>();
        assertThatThrownBy(() -> RulesServer.start(settings(database, "wrong"), given::add))
                .isInstanceOf(ServerStartException.class);
        assertThat(given).isEmpty();

        RulesServer.start(settings(database, SelfSigned.PASSWORD), given::add).close();

        assertThat(given).hasSize(1);
    }

    private static ServerSettings settings(String name, String password) {
        return settings(new DatabaseSettings("jdbc:h2:mem:" + name, null, null), password);
    }

    private static ServerSettings settings(DatabaseSettings database, String password) {
        return new ServerSettings(
                new Listening("127.0.0.1", 0, "--port", new TlsSettings(keys, password)),
                database,
                null,
                List.of(),
                null,
                false);
    }

    private static SSLContext trusting() throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keys)) {
            store.load(in, SelfSigned.PASSWORD.toCharArray());
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
