package io.ratelimit.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.server.command.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What whoever starts a daemon reads where a flag is wrong. */
class DaemonCommandTest {

    @TempDir
    private Path directory;

    @BeforeEach
    void write() throws IOException {
        Files.writeString(
                directory.resolve("rules.yaml"), "service: shop\nrules:\n  - { name: everyone, limits: 2/d }\n");
        Files.writeString(directory.resolve("empty"), "");
        Files.writeString(directory.resolve("short"), "s3cr3t\n");
    }

    /** Runs a daemon that cannot start; DIR in a flag or in the message is the test's directory. */
    private void requireRefused(String message, String... flags) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int status = RatelimitServer.commandLine(
                        new Terminal(
                                InputStream.nullInputStream(),
                                new PrintStream(out, true, StandardCharsets.UTF_8),
                                new PrintStream(err, true, StandardCharsets.UTF_8)),
                        Map.of())
                .execute(command(flags));

        String said = err.toString(StandardCharsets.UTF_8);
        assertThat(status).as(said).isEqualTo(2);
        assertThat(said.lines()).singleElement().asString().contains(inDirectory(message));
        assertThat(out.size()).isZero();
    }

    private String[] command(String... flags) {
        List<String> command = new ArrayList<>(List.of("daemon"));
        Arrays.stream(flags).map(this::inDirectory).forEach(command::add);
        if (!command.contains("--port")) {
            command.addAll(List.of("--port", "0"));
        }
        return command.toArray(String[]::new);
    }

    private String inDirectory(String text) {
        return text.replace("DIR", directory.toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "--set nosuch=1 | unknown setting 'nosuch' (valid here: cluster, ",
                "--set sharing=exactly | setting sharing is 'exactly': it must be one of exact, leased, eventual, host",
                "--set headers=foo | setting headers is 'foo': it must be 'none', or a comma-separated list",
                "--set rules=other.yaml | setting rules is given twice, by --rules and by --set: leave one of them out",
                "--port 65536 | --port is 65536: it must be from 0 to 65535",
                "--settle-within 0s | --settle-within is PT0S: it must be more than 0 and at most 1h",
                "--settle-within soon | --settle-within: 'soon' is no duration; write a whole number and a unit",
                "--token-file DIR/missing | missing cannot be read (java.nio.file.NoSuchFileException: DIR/missing): name",
                "--token-file DIR/empty | DIR/empty has 0 tokens: write 1 to 10000, one in a line",
                "--token-file DIR/short | line 1 of DIR/short is no token: it must be 20 or more letters, digits and signs",
                "--host 0.0.0.0 | --host 0.0.0.0: others than this machine could spend everybody's tokens; name a",
                "--tls DIR/rules.yaml | the keys in DIR/rules.yaml cannot be read (java.io.EOFException): give a PKCS",
                "--tls DIR/missing.p12 | --tls: DIR/missing.p12 cannot be read: name a PKCS #12 file",
                "--unix-socket DIR/rules.yaml | --unix-socket DIR/rules.yaml: there is a file that is no socket; name another",
                "--charge-every-descriptor | --charge-every-descriptor is for requests of Envoy, and this daemon answers none: name",
                "--unix-socket DIR/no/socket | --unix-socket DIR/no/socket: there is no such directory; make it, or name another",
            })
    void whatIsWrongWithAFlagIsSaid(String flags, String message) {
        requireRefused(message, ("--rules DIR/rules.yaml " + flags).split(" "));
    }

    @Test
    void somethingToDecideByMustBeNamed() {
        requireRefused(
                "there is nothing to decide by: name --rules (a rules file such as --rules rules.yaml, or the URL of");
    }

    @Test
    void descriptorsInPlaceOfRulesAreTakenForWhatTheyAre() throws IOException {
        Files.writeString(directory.resolve("shop.yaml"), "domain: shop\ndescriptors:\n  - { keey: user }\n");
        String message =
                "--rules: DIR/shop.yaml has descriptors of Envoy's rate limit service, and no rules; name it with"
                        + " --descriptors";
        requireRefused(message, "--rules", "DIR/shop.yaml");
        requireRefused(message, "--set", "rules=DIR/shop.yaml");
    }

    @Test
    void rulesInPlaceOfDescriptorsAreTakenForWhatTheyAre() {
        requireRefused(
                "DIR/rules.yaml: these are rules, and no descriptors of Envoy's rate limit service; a daemon takes them by"
                        + " --rules",
                "--descriptors",
                "DIR/rules.yaml",
                "--grpc-port",
                "0");
    }

    @Test
    void aSocketIsNotTakenFromAnotherProcess() throws Exception {
        try (ServerSocketChannel other = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            other.bind(UnixDomainSocketAddress.of(directory.resolve("socket")));
            requireRefused(
                    "--unix-socket DIR/socket: another process listens there; stop it, or name another file",
                    "--rules",
                    "DIR/rules.yaml",
                    "--unix-socket",
                    "DIR/socket");
        }
    }

    @Test
    void aPathThatIsTooLongForASocketIsRefused() {
        requireRefused(
                ": the path is longer than 107 bytes; name a shorter one",
                "--rules",
                "DIR/rules.yaml",
                "--unix-socket",
                "DIR/" + "s".repeat(108));
    }
}
