package io.ratelimit.sample;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A rules service in a process of its own, for a demonstration: its database is in memory, and it ends with this process,
 * since its standard input does.
 */
final class RulesService {

    private static final String SERVICE = "orders";
    private static final String READY = "READY ";
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int TOKEN_BYTES = 32;
    private static final Pattern SECRET = Pattern.compile("\"secret\":\"([^\"]+)\"");

    private final HttpClient client = HttpClient.newHttpClient();
    private final URI url;
    private final String admin;

    private RulesService(URI url, String admin) {
        this.url = url;
        this.admin = admin;
    }

    /**
     * Starts the service.
     *
     * @throws StartException if it does not start; what it says stands on standard error
     */
    static RulesService start(Path jar, int port) throws IOException {
        byte[] random = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(random);
        String admin = "rlt_" + HexFormat.of().formatHex(random);
        ProcessBuilder command = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                jar.toString(),
                "rules",
                "--port",
                Integer.toString(port),
                "--db",
                "jdbc:h2:mem:demo",
                "--until-input-ends");
        command.environment().put("RATELIMIT_ADMIN_TOKEN", admin);
        command.redirectError(ProcessBuilder.Redirect.INHERIT);
        Process process = command.start();
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith(READY)) {
                return new RulesService(URI.create(line.substring(READY.length())), admin);
            }
        }
        process.destroy();
        throw new StartException("the rules service of " + jar + " does not start: see above", null);
    }

    /** Publishes rules over whatever there is, and gives nodes what they need to follow them. */
    Map<String, String> publish(String rules) throws IOException, InterruptedException {
        String path = "/v1/services/" + SERVICE + "/rules";
        send(request(path + "?comment=The+rules+in+the+jar")
                .header("If-Match", "*")
                .PUT(HttpRequest.BodyPublishers.ofString(rules)));
        String created = send(request("/v1/tokens")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(
                        "{\"name\":\"the nodes\",\"role\":\"host\",\"services\":[\"" + SERVICE + "\"]}")));
        Matcher secret = SECRET.matcher(created);
        if (!secret.find()) {
            throw new StartException("the rules service gives out no token: " + created, null);
        }
        return Map.of("rules", url + path, "rulesToken", String.valueOf(secret.group(1)));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(url.resolve(path)).timeout(PATIENCE).header("Authorization", "Bearer " + admin);
    }

    private String send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new StartException(
                    "the rules service answers status " + answer.statusCode() + ": " + answer.body(), null);
        }
        return answer.body();
    }

    /** Where the console is, and what opens it. */
    String console() {
        return "console " + url + "  sign in with " + admin;
    }
}
