package io.ratelimit.core.http;

import io.ratelimit.RefusalBody;
import io.ratelimit.RefusalResponder;
import io.ratelimit.RefusedRequest;
import io.ratelimit.core.extension.ExtensionFaults;
import io.ratelimit.core.extension.Providers;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What an application adds to the answers: responders, which write refusals in a form of its own, and messages in further
 * languages. Immutable, but for the faults that were reported; thread-safe.
 */
public final class AnswerExtensions {

    private final List<RefusalResponder> responders;
    private final Messages messages;
    private final ExtensionFaults faults;

    private AnswerExtensions(List<RefusalResponder> responders, Messages messages, ExtensionFaults faults) {
        this.responders = responders;
        this.messages = messages;
        this.faults = faults;
    }

    /**
     * Nothing.
     *
     * @return no responders, and the messages that are shipped
     */
    public static AnswerExtensions none() {
        return new AnswerExtensions(List.of(), new Messages(new MessageBundles(null)), new ExtensionFaults());
    }

    /**
     * Adds a responder, to be asked after those before it.
     *
     * @param responder the responder
     * @return these extensions and that one
     */
    public AnswerExtensions with(RefusalResponder responder) {
        return new AnswerExtensions(
                Stream.concat(responders.stream(), Stream.of(Objects.requireNonNull(responder)))
                        .toList(),
                messages,
                faults);
    }

    /**
     * Adds what is found on the class path: the responders behind those that are there, and the messages of the bundle
     * {@code ratelimit-messages}. What cannot be used is reported and left out.
     *
     * @param classLoader the class loader of the application, or null for the system's
     * @return these extensions and those that were found
     */
    public AnswerExtensions withFound(@Nullable ClassLoader classLoader) {
        ClassLoader loader = classLoader == null ? ClassLoader.getSystemClassLoader() : classLoader;
        List<RefusalResponder> found = new Providers(loader).find(RefusalResponder.class, "A responder for refusals");
        return new AnswerExtensions(
                Stream.concat(responders.stream(), found.stream()).toList(),
                new Messages(new MessageBundles(loader)),
                faults);
    }

    Messages messages() {
        return messages;
    }

    /** The body of the first responder that has one. */
    Optional<RefusalBody> respond(RefusedRequest refused) {
        for (RefusalResponder responder : responders) {
            Optional<RefusalBody> body = respond(responder, refused);
            if (body.isPresent()) {
                return body;
            }
        }
        return Optional.empty();
    }

    private Optional<RefusalBody> respond(RefusalResponder responder, RefusedRequest refused) {
        try {
            Optional<RefusalBody> body = responder.respond(refused);
            if (body != null) {
                return body;
            }
            faults.wrong(name(responder), "answered null", "the next responder or the limiter answers");
        } catch (Throwable e) {
            faults.thrown(name(responder), "the next responder or the limiter answers", e);
        }
        return Optional.empty();
    }

    private static String name(RefusalResponder responder) {
        return "The responder " + responder.getClass().getName();
    }
}
