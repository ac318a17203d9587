package io.ratelimit.server.command;

import com.google.common.net.InetAddresses;
import io.ratelimit.server.remote.BearerToken;
import io.ratelimit.server.remote.RemoteService;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which rules service a command works with, and what it proves itself by. */
final class ServiceFlags {

    private static final String TOKEN = "RATELIMIT_TOKEN";

    private final Terminal terminal;
    private final Map<String, String> environment;

    @Option(names = "--url", paramLabel = "URL", description = "where the rules service is: http://127.0.0.1:8600")
    private @Nullable URI url;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "holds the token; without this flag, the environment's " + TOKEN + " is it")
    private @Nullable Path tokenFile;

    ServiceFlags(Terminal terminal, Map<String, String> environment) {
        this.terminal = terminal;
        this.environment = environment;
    }

    /**
     * The service.
     *
     * @throws CommandException if the flags do not say which, or there is no token
     */
    RemoteService service() {
        URI service = checked(url);
        BearerToken token = token();
        if (service.getScheme().equals("http") && !isThisMachine(service.getHost())) {
            terminal.err()
                    .println("ratelimit-server: warning: the token goes to " + service.getHost()
                            + " in clear, for all on the way to read: use https");
        }
        return new RemoteService(service, token);
    }

    private static URI checked(@Nullable URI url) {
        if (url == null) {
            throw new CommandException(
                    "--url is missing: say where the rules service is, such as --url" + " http://127.0.0.1:8600", null);
        }
        boolean http = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
        // What stands before an @ would be seen by all who can list processes, so that it is not repeated either.
        if (!http || url.getHost() == null || url.getRawUserInfo() != null) {
            throw new CommandException(
                    "--url must be http:// or https:// with a host and no user, such as http://127.0.0.1:8600", null);
        }
        if (url.getRawQuery() != null || url.getRawFragment() != null) {
            throw new CommandException("--url " + url + " must end before ? and #", null);
        }
        return url;
    }

    private BearerToken token() {
        String text = tokenFile == null ? environment.get(TOKEN) : read(tokenFile);
        String place = tokenFile == null ? TOKEN : tokenFile.toString();
        if (text == null) {
            throw new CommandException(
                    "there is no token: put it into the environment as " + TOKEN
                            + ", or into a file that --token-file names",
                    null);
        }
        try {
            return new BearerToken(text.strip());
        } catch (IllegalArgumentException e) {
            throw new CommandException(place + " holds no token: " + e.getMessage(), e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.US_ASCII);
        } catch (NoSuchFileException e) {
            throw new CommandException("--token-file: there is no " + file, e);
        } catch (IOException e) {
            throw new CommandException("--token-file: " + file + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** By name and by number alone: nobody is asked what a name stands for. */
    private static boolean isThisMachine(String host) {
        String bare = host.replaceAll("^\\[|\\]$", "");
        return bare.equals("localhost")
                || (InetAddresses.isInetAddress(bare)
                        && InetAddresses.forString(bare).isLoopbackAddress());
    }
}
