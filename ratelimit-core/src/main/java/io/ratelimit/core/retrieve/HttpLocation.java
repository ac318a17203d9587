package io.ratelimit.core.retrieve;

import com.google.common.hash.Hashing;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP source's URL, parted from its credentials.
 *
 * @param uri the URL without user-info and fragment
 * @param authorization the {@code Authorization} header's value, or null for none
 */
record HttpLocation(URI uri, @Nullable String authorization) {

    /** Messages never show the text itself: what cannot be parsed cannot be parted from its credentials either. */
    static HttpLocation parse(String text, @Nullable String bearerToken) {
        URI uri;
        try {
            uri = new URI(text);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("the URL of the rules is not valid: " + e.getReason() + " at index "
                    + e.getIndex() + " (the URL is not shown, it may hold credentials)");
        }
        if (uri.getHost() == null) {
            throw new IllegalArgumentException("the URL of the rules has no host, or one that is not valid:"
                    + " write http://HOST:PORT/PATH, with %40 for an @, %2F for a / and %3A for a : in credentials"
                    + " (the URL is not shown, it may hold credentials)");
        }
        if (uri.getRawUserInfo() != null && bearerToken != null) {
            throw new IllegalArgumentException(
                    "both a bearer token and credentials in the URL are given for the rules: keep one of them");
        }
        return new HttpLocation(bare(uri), authorization(uri.getUserInfo(), bearerToken));
    }

    /**
     * Follows a link of an answer. Credentials go with it, so that it leads nowhere but to the origin they are meant for.
     *
     * @param link an absolute or a relative URL
     * @return where it leads; empty if that is no URL or another scheme, host or port
     */
    Optional<HttpLocation> onSameOrigin(String link) {
        try {
            URI target = bare(uri.resolve(new URI(link)));
            return origin(target).equals(origin(uri))
                    ? Optional.of(new HttpLocation(target, authorization))
                    : Optional.empty();
        } catch (URISyntaxException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Begins a request, with the credentials. */
    HttpRequest.Builder request() {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).header("User-Agent", "ratelimit");
        if (authorization != null) {
            request.header("Authorization", authorization);
        }
        return request;
    }

    /** The query may be a token or a signature: it is shown as a hash, which tells it from another. */
    String location() {
        String query = uri.getRawQuery();
        String text = uri.toString();
        if (query == null) {
            return text;
        }
        String hash = Hashing.sha256().hashString(query, StandardCharsets.UTF_8).toString();
        return text.substring(0, text.length() - query.length()) + "#" + hash.substring(0, 8);
    }

    /** Shows no credentials. */
    @Override
    public String toString() {
        return location();
    }

    /** Put together from raw parts, because the constructors of {@link URI} would quote some of them anew. */
    private static URI bare(URI uri) {
        String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
        String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        return URI.create(uri.getScheme() + "://" + uri.getHost() + port + uri.getRawPath() + query);
    }

    private static String origin(URI uri) {
        String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        int usual = scheme.equals("https") ? 443 : 80;
        return scheme + "://" + String.valueOf(uri.getHost()).toLowerCase(Locale.ROOT) + ":"
                + (uri.getPort() < 0 ? usual : uri.getPort());
    }

    private static @Nullable String authorization(@Nullable String userInfo, @Nullable String bearerToken) {
        if (userInfo != null) {
            return "Basic " + Base64.getEncoder().encodeToString(userInfo.getBytes(StandardCharsets.UTF_8));
        }
        return bearerToken == null ? null : "Bearer " + bearerToken;
    }
}
