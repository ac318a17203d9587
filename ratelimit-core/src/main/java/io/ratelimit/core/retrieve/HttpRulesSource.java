package io.ratelimit.core.retrieve;

import com.google.common.hash.Hashing;
import io.ratelimit.core.retrieve.RulesStatus.Push;
import io.ratelimit.rules.RulesDocument;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.ResponseInfo;
import java.net.http.HttpTimeoutException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Rules of an HTTP service, asked with conditional requests. The content type is not trusted, nor needed. */
final class HttpRulesSource implements RulesService {

    private static final int ERROR_PAGE_BYTES = 64 << 10;

    private final HttpLocation location;
    private final RulesSourceSettings settings;
    private final PushSchedule pushSchedule;
    private final HttpExchanger exchanger;
    private final ReportsClient reports;
    private @Nullable Known known;
    private volatile @Nullable RulesPush push;

    /** What the service calls the rules that it gave or confirmed last. */
    private volatile String tag = "";

    HttpRulesSource(HttpLocation location, RulesSourceSettings settings) {
        this(location, settings, PushSchedule.DEFAULT);
    }

    HttpRulesSource(HttpLocation location, RulesSourceSettings settings, PushSchedule pushSchedule) {
        this.location = location;
        this.settings = settings;
        this.pushSchedule = pushSchedule;
        this.exchanger = new HttpExchanger(settings.connectTimeout());
        this.reports = new ReportsClient(exchanger, settings.host(), settings.requestTimeout());
    }

    @Override
    public String location() {
        return location.location();
    }

    @Override
    public PollSchedule defaultSchedule() {
        return PollSchedule.http();
    }

    @Override
    public Optional<RulesDocument> retrieve(@Nullable RulesDocument last, @Nullable RulesDocument inForce)
            throws IOException, InterruptedException {
        Optional<HttpValidator> validator = validator(last);
        HttpResponse<byte[]> response = exchange(request(validator, inForce));
        int status = response.statusCode();
        if (status == 304 && last != null && validator.isPresent()) {
            heard(response, last);
            return Optional.empty();
        }
        if (status != 200) {
            throw refusal(response);
        }
        requireWhole(response.headers());
        requireIntact(response);
        Optional<RulesDocument> taken = taken(response, last);
        heard(response, taken.orElse(last));
        return taken;
    }

    @Override
    public void onNews(Runnable wake) {
        if (settings.push()) {
            push = new RulesPush(link -> listening(link, wake));
        }
    }

    @Override
    public ReportReceiver reports() {
        return reports;
    }

    @Override
    public Push push() {
        RulesPush started = push;
        return started == null ? Push.NONE : started.state();
    }

    @Override
    public void close() {
        RulesPush started = push;
        if (started != null) {
            started.close();
        }
        exchanger.close();
    }

    private PushLoop listening(HttpLocation link, Runnable wake) {
        EventsClient client = new EventsClient(exchanger, link, settings.host(), settings.requestTimeout());
        return new PushLoop(
                client,
                published -> {
                    if (!published.equals(tag)) {
                        wake.run();
                    }
                },
                pushSchedule,
                new SplittableRandom());
    }

    private void heard(HttpResponse<byte[]> response, @Nullable RulesDocument document) {
        tag = response.headers().firstValue("ETag").map(String::strip).orElse(document == null ? "" : document.tag());
        ServiceLinks links = ServiceLinks.of(response.headers());
        RulesPush started = push;
        // What a 304 does not say is as it was before.
        if (response.statusCode() == 200 || links.areNamed()) {
            reports.follow(links.target("reports").flatMap(location::onSameOrigin));
            if (started != null) {
                started.follow(links.target("events").flatMap(location::onSameOrigin));
            }
        }
    }

    private Optional<HttpValidator> validator(@Nullable RulesDocument last) {
        if (last == null) {
            return Optional.empty();
        }
        Known now = known;
        return now != null && now.document == last ? now.validator : HttpValidator.ofTag(last.tag());
    }

    private HttpRequest.Builder request(Optional<HttpValidator> validator, @Nullable RulesDocument inForce) {
        HttpRequest.Builder request = location.request()
                .header("Accept", "application/yaml, application/json, */*;q=0.5")
                .header("RateLimit-Host", settings.host().toString());
        Optional.ofNullable(inForce)
                .flatMap(document -> HttpValidator.etag(document.tag()))
                .ifPresent(tag -> request.header("RateLimit-In-Force", tag.value()));
        validator.ifPresent(condition -> request.header(condition.header(), condition.value()));
        return request;
    }

    private HttpResponse<byte[]> exchange(HttpRequest.Builder request) throws IOException, InterruptedException {
        try {
            return exchanger.send(request, this::body, settings.requestTimeout());
        } catch (IOException e) {
            throw failure(e);
        }
    }

    private BodySubscriber<byte[]> body(ResponseInfo info) {
        return info.statusCode() == 200
                ? new CappedBody(ContentLimit.BYTES, () -> ContentLimit.exceeded(location()))
                : new CappedBody(ERROR_PAGE_BYTES, null);
    }

    private Optional<RulesDocument> taken(HttpResponse<byte[]> response, @Nullable RulesDocument last) {
        byte[] content = response.body();
        HttpHeaders headers = response.headers();
        Optional<HttpValidator> validator = HttpValidator.of(headers);
        Optional<PublishedVersion> published = PublishedVersion.of(headers);
        String name = published.map(PublishedVersion::name).orElse(null);
        if (last != null && Arrays.equals(content, last.content()) && Objects.equals(name, last.versionName())) {
            known = new Known(last, validator);
            return Optional.empty();
        }
        String tag = validator
                .map(HttpValidator::value)
                .orElseGet(() -> "sha256:" + Hashing.sha256().hashBytes(content));
        long millis = published.map(PublishedVersion::millis).orElseGet(() -> lastModified(headers));
        RulesDocument document =
                new RulesDocument(location(), content, tag, DocumentVersion.next(last, millis, settings.time()), name);
        known = new Known(document, validator);
        return Optional.of(document);
    }

    private static long lastModified(HttpHeaders headers) {
        return headers.firstValue("Last-Modified")
                .flatMap(HttpValidator::date)
                .map(Instant::toEpochMilli)
                .orElse(DocumentVersion.NOT_DATED);
    }

    /** A body that ends where the connection ends cannot be told from a cut one, and cut rules may well be valid. */
    private void requireWhole(HttpHeaders headers) throws IOException {
        if (headers.firstValue("Content-Length").isEmpty()
                && headers.firstValue("Transfer-Encoding").isEmpty()) {
            throw new IOException(location() + ": answers without Content-Length and not chunked, so that a cut answer"
                    + " could not be told: let the server send one of them");
        }
        String coding = headers.firstValue("Content-Encoding").orElse("identity");
        if (!coding.equalsIgnoreCase("identity")) {
            throw new IOException(location() + ": answers with Content-Encoding '" + coding
                    + "', which was not asked for: let the server send the rules as they are");
        }
    }

    private void requireIntact(HttpResponse<byte[]> response) throws IOException {
        boolean matches;
        try {
            matches = ReprDigest.matches(response.headers(), response.body());
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    location() + ": answers with a Repr-Digest that cannot be checked: " + e.getMessage()
                            + ": let the server send sha-256=:BASE64:, or none",
                    e);
        }
        if (!matches) {
            throw new IOException(location() + ": answers with rules that do not match their Repr-Digest: they were"
                    + " damaged or changed on their way, check the proxies between");
        }
    }

    private IOException refusal(HttpResponse<byte[]> response) {
        int status = response.statusCode();
        String advice = switch (status) {
            case 304 -> ": the request had no condition, so the server must send the rules";
            case 301, 302, 303, 307, 308 ->
                ", a redirect" + target(response.headers())
                        + ": redirects are not followed, configure the URL that has the rules";
            case 401, 403 -> ": check the credentials in the URL, or the bearer token, which is rulesToken";
            case 404, 410 -> ": check the URL of the rules";
            default -> ": expected 200 with the rules";
        };
        return new IOException(location() + ": answers status " + status + advice);
    }

    private String target(HttpHeaders headers) {
        try {
            return headers.firstValue("Location")
                    .map(value -> HttpLocation.parse(
                            location.uri().resolve(URI.create(value.strip())).toString(), null))
                    .map(to -> " to " + to)
                    .orElse("");
        } catch (IllegalArgumentException e) {
            // Not a URL; the status alone says enough.
            return "";
        }
    }

    private IOException failure(IOException cause) {
        String message = String.valueOf(cause.getMessage());
        if (cause instanceof HttpTimeoutException) {
            return new IOException(location() + ": " + message + ": is the service up and not overloaded?", cause);
        }
        if (cause instanceof ConnectException) {
            return new IOException(
                    location() + ": " + message + ": is the service up, and are host and port right?", cause);
        }
        return message.startsWith(location())
                ? cause
                : new IOException(
                        location() + ": the exchange failed: "
                                + cause.getClass().getSimpleName() + ": " + message,
                        cause);
    }

    /** Content and the newest validator for it: the same bytes may come with a new ETag. */
    private record Known(RulesDocument document, Optional<HttpValidator> validator) {}
}
