package io.ratelimit.server.daemon;

import com.google.common.base.Strings;
import com.google.common.primitives.Longs;
import io.ratelimit.RequestContext;
import io.ratelimit.server.proxied.RequestTarget;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.eclipse.jetty.http.HttpCookie;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Fields;
import org.jspecify.annotations.Nullable;

/**
 * A client's request as a proxy tells it: the client's own header fields, and what the proxy knows in fields that it sets
 * itself, whatever the client sent under these names. What one configuration of the proxy says of all its requests stands
 * in the query: {@code operation} and {@code cost}.
 */
final class ProxiedRequest implements RequestContext {

    private static final String METHOD = "X-Original-Method";
    private static final String URI = "X-Original-URI";
    private static final String ADDRESS = "X-Real-IP";
    private static final String USER = "X-Original-User";

    /** What the proxy says is no word of the client's. */
    private static final Set<String> NOT_THE_CLIENTS = hidden();

    private final Request request;
    private final HttpFields fields;
    private final RequestTarget target;
    private final @Nullable String operation;
    private final long cost;

    /**
     * Reads a request of a proxy.
     *
     * @throws BadQuestionException if the proxy's configuration names a cost that is none
     */
    ProxiedRequest(Request request) {
        this.request = request;
        this.fields = request.getHeaders();
        this.target = RequestTarget.of(inUtf8(Objects.requireNonNullElse(fields.get(URI), "/")));
        Fields said = Request.extractQueryParameters(request);
        this.operation = said.getValue("operation");
        this.cost = cost(said.getValue("cost"));
    }

    private static Set<String> hidden() {
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        names.addAll(Set.of(METHOD, URI, USER, Doorkeeper.OWN_FIELD));
        return names;
    }

    /** Clients may send bytes beyond ASCII without escapes; as a header field they are read one by one. */
    private static String inUtf8(String field) {
        return new String(field.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    private static long cost(@Nullable String text) {
        if (text == null) {
            return NO_COST;
        }
        Long cost = Longs.tryParse(text);
        if (cost == null || cost < 0) {
            throw new BadQuestionException(
                    "the parameter 'cost' is '" + text + "': it must be a whole number of tokens, 0 or more");
        }
        return cost;
    }

    @Override
    public String method() {
        return Objects.requireNonNullElse(fields.get(METHOD), "GET");
    }

    @Override
    public String path() {
        return target.path();
    }

    @Override
    public @Nullable String operation() {
        return operation;
    }

    @Override
    public long cost() {
        return cost;
    }

    @Override
    public @Nullable String peerAddress() {
        return fields.get(ADDRESS);
    }

    @Override
    public @Nullable String user() {
        return Strings.emptyToNull(fields.get(USER));
    }

    @Override
    public List<String> headers(String name) {
        return NOT_THE_CLIENTS.contains(name) ? List.of() : fields.getValuesList(name);
    }

    @Override
    public @Nullable String cookie(String name) {
        try {
            for (HttpCookie cookie : Request.getCookies(request)) {
                if (cookie.getName().equals(name)) {
                    return cookie.getValue();
                }
            }
        } catch (RuntimeException malformed) {
            // Holds no cookies.
        }
        return null;
    }

    @Override
    public @Nullable Object attribute(String name) {
        return null;
    }

    @Override
    public List<String> queryParameters(String name) {
        return target.query().values(name);
    }
}
