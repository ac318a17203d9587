package io.ratelimit.server.remote;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.ratelimit.core.rules.Printable;
import io.ratelimit.server.rules.Expectation;
import io.ratelimit.server.rules.ServiceName;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A rules service over HTTP. Each method asks up to three times, since all that is asked may be repeated, a publication too:
 * a service that has the same rules in force already says so. Thread-safe.
 */
public final class RemoteService {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** A proxy that compresses may have made a tag weak. */
    private static final Pattern TAG = Pattern.compile("(?:W/)?\"(([0-9]{1,18})-[0-9a-f]{8})\"");

    private static final String NO_RULES = "urn:ratelimit:problem:no-rules";

    /** There is nothing at the path at all. */
    private static final String NO_RESOURCE = "urn:ratelimit:problem:not-found";

    private static final int OK = 200;
    private static final int UNAUTHORIZED = 401;
    private static final int PRECONDITION_FAILED = 412;

    private final String url;
    private final BearerToken token;
    private final JsonMapper json = new JsonMapper();
    private final Retries retries;

    /**
     * Makes a client; nothing is asked yet.
     *
     * @param url where the service is, without {@code /v1}
     * @param token what is sent along
     */
    public RemoteService(URI url, BearerToken token) {
        this(url, token, PATIENCE);
    }

    RemoteService(URI url, BearerToken token, Duration patience) {
        this.url = url.toString().replaceFirst("/+$", "");
        this.token = token;
        this.retries = new Retries(new Exchange(patience));
    }

    /**
     * Retrieves the rules in force.
     *
     * @param service whose rules
     * @return the rules; empty where none are in force
     * @throws ServiceAwayException if the service cannot be reached or is busy
     * @throws ServiceRefusedException if the token does not do, or no rules service answers
     */
    public Optional<RemoteRules> inForce(ServiceName service) throws ServiceAwayException, ServiceRefusedException {
        HttpResponse<byte[]> answer = retries.send(request(service, "/rules").build());
        return problem(answer).path("type").asText().equals(NO_RULES) ? Optional.empty() : Optional.of(rules(answer));
    }

    /**
     * Retrieves a version, in force or not.
     *
     * @param service whose rules
     * @param number the version's number
     * @return the rules
     * @throws ServiceAwayException if the service cannot be reached or is busy
     * @throws ServiceRefusedException if there is no such version, the token does not do, or no rules service answers
     */
    public RemoteRules version(ServiceName service, long number) throws ServiceAwayException, ServiceRefusedException {
        return rules(
                retries.send(request(service, "/versions/" + number + "/rules").build()));
    }

    /**
     * Asks who published a version, and why.
     *
     * @param service whose rules
     * @param number the version's number
     * @return what is known
     * @throws ServiceAwayException if the service cannot be reached or is busy
     * @throws ServiceRefusedException if there is no such version, the token does not do, or no rules service answers
     */
    public Publication publication(ServiceName service, long number)
            throws ServiceAwayException, ServiceRefusedException {
        return publication(retries.send(request(service, "/versions/" + number).build()));
    }

    /**
     * Publishes rules.
     *
     * @param service whose rules
     * @param document the rules
     * @param comment why; may be empty
     * @param expectation what is believed to be in force
     * @return the version in force; empty where something else than expected was, and nothing is published
     * @throws ServiceAwayException if the service cannot be reached or is busy: it may have published all the same
     * @throws ServiceRefusedException if the rules are not valid, the token does not do, or no rules service answers
     */
    public Optional<Publication> publish(ServiceName service, byte[] document, String comment, Expectation expectation)
            throws ServiceAwayException, ServiceRefusedException {
        HttpRequest.Builder request = request(
                        service, "/rules?comment=" + URLEncoder.encode(comment, StandardCharsets.UTF_8))
                .PUT(BodyPublishers.ofByteArray(document));
        if (expectation instanceof Expectation.Nothing) {
            request.header("If-None-Match", "*");
        } else {
            request.header("If-Match", expectation instanceof Expectation.Tag seen ? '"' + seen.tag() + '"' : "*");
        }
        HttpResponse<byte[]> answer = retries.send(request.build());
        return answer.statusCode() == PRECONDITION_FAILED && !problem(answer).isMissingNode()
                ? Optional.empty()
                : Optional.of(publication(answer));
    }

    private HttpRequest.Builder request(ServiceName service, String path) {
        return HttpRequest.newBuilder(URI.create(url + "/v1/services/" + service + path))
                .header("Authorization", "Bearer " + token.text());
    }

    private RemoteRules rules(HttpResponse<byte[]> answer) throws ServiceRefusedException {
        Matcher tag = TAG.matcher(answer.headers().firstValue("ETag").orElse(""));
        if (answer.statusCode() != OK || !tag.matches()) {
            throw refused(answer);
        }
        return new RemoteRules(
                Long.parseLong(tag.group(2)), tag.group(1), new String(answer.body(), StandardCharsets.UTF_8));
    }

    private Publication publication(HttpResponse<byte[]> answer) throws ServiceRefusedException {
        JsonNode version = answer.statusCode() == OK ? json(answer) : json.missingNode();
        try {
            return new Publication(
                    version.required("number").asLong(),
                    version.required("tag").asText(),
                    Instant.parse(version.required("published").asText()),
                    version.required("author").asText(),
                    version.required("comment").asText());
        } catch (IllegalArgumentException | DateTimeException e) {
            throw refused(answer);
        }
    }

    private ServiceRefusedException refused(HttpResponse<byte[]> answer) {
        JsonNode problem = problem(answer);
        if (problem.isMissingNode()) {
            String type = answer.headers().firstValue("Content-Type").orElse("no type");
            return new ServiceRefusedException(
                    url + " answers " + answer.statusCode() + " with "
                            + Printable.escaped(Printable.shortened(type, 100))
                            + ", as no rules service does: is this its URL?",
                    List.of());
        }
        if (answer.statusCode() == UNAUTHORIZED) {
            return new ServiceRefusedException(
                    url
                            + " refuses (401): the token is none of this service's, is revoked or over: put one that is valid"
                            + " into RATELIMIT_TOKEN or the file of --token-file; an admin can give one out",
                    List.of());
        }
        if (problem.path("type").asText().equals(NO_RESOURCE)) {
            return new ServiceRefusedException(
                    url
                            + " answers 404: a rules service is there, but nothing of it has this path: leave out what --url"
                            + " has behind the port, such as /v1",
                    List.of());
        }
        List<String> errors = new ArrayList<>();
        problem.path("errors").forEach(error -> errors.add(inOneLine(error)));
        return new ServiceRefusedException(
                url + " refuses (" + answer.statusCode() + "): "
                        + Printable.escaped(problem.path("detail").asText("no reason is told")),
                errors);
    }

    private static String inOneLine(JsonNode error) {
        return Printable.escaped("line " + error.path("line").asInt() + ": "
                + error.path("message").asText("no reason is told"));
    }

    /** A problem of RFC 9457 in the answer, else a missing node. */
    private JsonNode problem(HttpResponse<byte[]> answer) {
        boolean told = answer.headers().firstValue("Content-Type").orElse("").startsWith("application/problem+json");
        return told ? json(answer) : json.missingNode();
    }

    private JsonNode json(HttpResponse<byte[]> answer) {
        try {
            return json.readTree(answer.body());
        } catch (JsonProcessingException e) {
            return json.missingNode();
        } catch (IOException e) {
            throw new IllegalStateException("Bytes in memory can be read", e);
        }
    }
}
