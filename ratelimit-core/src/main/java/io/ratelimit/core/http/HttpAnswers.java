package io.ratelimit.core.http;

import io.ratelimit.Decision;
import io.ratelimit.LimitStatus;
import io.ratelimit.RefusalBody;
import io.ratelimit.RequestContext;
import io.ratelimit.TimeSource;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells decisions over HTTP. Thread-safe.
 */
public final class HttpAnswers {

    private static final String RETRY_AFTER = "Retry-After";

    /** Service Unavailable: the client did nothing wrong, but its limit could not be looked up. */
    private static final int UNAVAILABLE = 503;

    private final HttpSettings settings;
    private final TimeSource timeSource;
    private final AnswerExtensions extensions;
    private final IetfDraft11Fields ietf = new IetfDraft11Fields();
    private final XRateLimitFields xRateLimit;

    /**
     * Makes the answers of one way in, to which the application adds nothing.
     *
     * @param settings which header fields are sent, and the form of refusals
     * @param timeSource the wall clock that points in time are told by
     */
    public HttpAnswers(HttpSettings settings, TimeSource timeSource) {
        this(settings, timeSource, AnswerExtensions.none());
    }

    /**
     * Makes the answers of one way in.
     *
     * @param settings which header fields are sent, and the form of refusals that no responder answers
     * @param timeSource the wall clock that points in time are told by
     * @param extensions responders and messages of the application
     */
    public HttpAnswers(HttpSettings settings, TimeSource timeSource, AnswerExtensions extensions) {
        this.settings = settings;
        this.timeSource = timeSource;
        this.extensions = extensions;
        this.xRateLimit = new XRateLimitFields(settings.resetFormat(), timeSource);
    }

    /**
     * Tells the client where it stands. The fields of a refusal tell of the limit that refused and name the wait, in whole
     * seconds, rounded up and at least 1, unless no waiting can help.
     *
     * @param decision the decision that stands for the request
     * @param sink takes the fields, no two of the same name; none where no limit was asked
     */
    public void tell(Decision decision, FieldSink sink) {
        LimitStatus deciding = settings.tellsNothing() && decision.allowed() ? null : decision.decidingLimit();
        if (deciding == null) {
            return;
        }
        if (settings.ietf()) {
            ietf.tell(decision, sink);
        }
        if (settings.xRateLimit()) {
            xRateLimit.tell(deciding, sink);
        }
        if (!decision.allowed()) {
            tellRetryAfter(deciding, sink);
        }
    }

    /**
     * The same fields as a list.
     *
     * @param decision the decision that stands for the request
     * @return the fields, no two of the same name; empty where no limit was asked
     */
    public List<HeaderField> fields(Decision decision) {
        List<HeaderField> fields = new ArrayList<>(8);
        tell(decision, (name, value) -> fields.add(new HeaderField(name, value)));
        return fields;
    }

    /**
     * The names of the fields that an allowed answer may carry, to be removed where another decision takes its place.
     *
     * @return the names
     */
    public List<String> fieldNames() {
        return List.of(
                IetfDraft11Fields.POLICY,
                IetfDraft11Fields.STATE,
                XRateLimitFields.LIMIT,
                XRateLimitFields.REMAINING,
                XRateLimitFields.RESET);
    }

    /**
     * The whole answer to a refused request. Its status is the one that the refusing rule sets, 429 by default (RFC 6585
     * section 4); where the limits could not be asked and the rule's {@code onFailure} is {@code closed}, it is 503
     * without a promise of when. The body is that of the first responder that has one, else of the form that the settings
     * choose.
     *
     * @param decision a decision that refuses
     * @param context the request
     * @return the answer
     */
    public Refusal refuse(Decision decision, RequestContext context) {
        LimitStatus deciding = decision.decidingLimit();
        int status = statusOf(deciding);
        RefusedHttpRequest refused =
                new RefusedHttpRequest(context, decision, deciding, status, extensions.messages(), timeSource);
        RefusalBody body =
                extensions.respond(refused).orElseGet(() -> settings.responder().respond(refused));
        List<HeaderField> fields = fields(decision);
        fields.add(new HeaderField("Cache-Control", "no-store"));
        if (body.language() != null) {
            fields.add(new HeaderField("Content-Language", body.language().toLanguageTag()));
        }
        return new Refusal(
                status,
                fields,
                body.contentType(),
                body.text().getBytes(StandardCharsets.UTF_8),
                "HEAD".equals(context.method()));
    }

    /**
     * The status of the answer to a refused request, as {@link #refuse} gives it.
     *
     * @param decision a decision that refuses
     * @return 400 to 599
     */
    public int statusOf(Decision decision) {
        return statusOf(decision.decidingLimit());
    }

    private static int statusOf(@Nullable LimitStatus deciding) {
        return deciding == null ? UNAVAILABLE : deciding.rule().onExceeded().status();
    }

    private void tellRetryAfter(LimitStatus deciding, FieldSink sink) {
        long wait = Waits.untilAdmitted(deciding.state());
        if (wait == Waits.NONE) {
            return;
        }
        String seconds = Long.toString(wait);
        sink.set(RETRY_AFTER, seconds);
        if (settings.xRateLimit()) {
            sink.set(XRateLimitFields.RETRY_AFTER, seconds);
        }
    }
}
