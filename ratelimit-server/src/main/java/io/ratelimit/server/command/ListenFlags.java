package io.ratelimit.server.command;

import io.ratelimit.server.listen.Listening;
import io.ratelimit.server.listen.TlsSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a server listens, and whether by TLS. */
final class ListenFlags {

    private final Map<String, String> environment;

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            description = "the address to listen on (default: ${DEFAULT-VALUE}, this machine alone)")
    private String host = "127.0.0.1";

    @Option(names = "--port", paramLabel = "PORT", description = "the port, 0 for any (default: ${DEFAULT-VALUE})")
    private int port;

    @Option(
            names = "--tls",
            paramLabel = "FILE.p12",
            description = "answers by TLS, with the key and certificates of this PKCS #12 file")
    private @Nullable Path tls;

    /**
     * Makes the flags.
     *
     * @param port the port where none is named
     * @param environment the process's environment, which has the password of the keys
     */
    ListenFlags(int port, Map<String, String> environment) {
        this.port = port;
        this.environment = environment;
    }

    String host() {
        return host;
    }

    /**
     * Where it listens.
     *
     * @throws IllegalArgumentException if there is no such port, or the keys cannot be read
     */
    Listening listening() {
        return listening(port, "--port");
    }

    /**
     * Where it listens at another port.
     *
     * @param flag the flag that sets that port
     * @throws IllegalArgumentException if there is no such port, or the keys cannot be read
     */
    Listening listening(int other, String flag) {
        return new Listening(host, other, flag, tls == null ? null : settings(tls));
    }

    private TlsSettings settings(Path file) {
        if (!Files.isReadable(file)) {
            throw new IllegalArgumentException("--tls: " + file + " cannot be read: name a PKCS #12 file");
        }
        return new TlsSettings(file, environment.getOrDefault("RATELIMIT_TLS_PASSWORD", ""));
    }
}
