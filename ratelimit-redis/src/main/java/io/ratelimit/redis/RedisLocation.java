package io.ratelimit.redis;

import com.google.common.net.InetAddresses;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where Redis is and how to talk to it, as a URI says. Immutable as far as nobody changes the URIs.
 *
 * @param uris one for a single server, or for one that Sentinel tells; some nodes of a cluster
 * @param isCluster whether keys are spread over several masters
 */
record RedisLocation(List<RedisURI> uris, boolean isCluster) {

    private static final Pattern CLUSTER =
            Pattern.compile("(?<scheme>rediss?)-cluster://(?<user>[^@/]*@)?(?<nodes>[^/?#@]+)/?(?<query>\\?[^#]*)?");

    private static final Pattern HOST_NAME = Pattern.compile("[\\w.-]+");

    /** What follows the hosts; a password may have a question mark too. */
    private static final Pattern QUERY = Pattern.compile("\\?(?<parameters>[^@#]*)(#[^@]*)?$");

    private static final Pattern PARAMETER = Pattern.compile(
            "timeout=\\d+(ns|us|ms|s|m|h|d)|database=\\d+|clientName=[^=]+|verifyPeer=(?i:full|ca|none)");

    private static final String ALLOWED = "write redis://HOST:PORT, redis-sentinel://HOST:PORT,HOST:PORT#MASTER or"
            + " redis-cluster://HOST:PORT,HOST:PORT; rediss for TLS, USER:PASSWORD@ before the hosts for access, with %23 in place of #, %40 of @ and %2F of /";

    /** A server that does not answer when a connection begins is not waited for much longer than a start may take. */
    private static final Duration HANDSHAKE = Duration.ofSeconds(3);

    RedisLocation {
        uris = List.copyOf(uris);
    }

    /**
     * Reads a URI.
     *
     * @throws IllegalArgumentException if it is none of the allowed ones; the message repeats no password
     */
    static RedisLocation parse(String text) {
        checkParameters(text);
        Matcher cluster = CLUSTER.matcher(text);
        boolean isCluster = cluster.matches();
        List<RedisURI> uris = new ArrayList<>();
        try {
            if (isCluster) {
                for (String node : cluster.group("nodes").split(",", -1)) {
                    uris.add(RedisURI.create(cluster.group("scheme") + "://" + orNothing(cluster.group("user")) + node
                            + orNothing(cluster.group("query"))));
                }
            } else {
                uris.add(RedisURI.create(text));
            }
        } catch (IllegalArgumentException withTheWholeText) {
            // Not as the cause: what is wrong with a URI may be its password.
            throw wrong();
        }
        // Of a password with a # in it, the part before it would be taken for the host.
        boolean isFragmentOfNoUse =
                text.contains("#") && uris.get(0).getSentinels().isEmpty();
        if (isFragmentOfNoUse || uris.stream().anyMatch(RedisLocation::hasOddHost)) {
            throw wrong();
        }
        uris.forEach(RedisLocation::shorten);
        return new RedisLocation(uris, isCluster);
    }

    private static IllegalArgumentException wrong() {
        return new IllegalArgumentException("setting redis is no URI of Redis: " + ALLOWED);
    }

    /** Lettuce takes no notice of a name that it does not know, and takes a time without a unit for milliseconds. */
    private static void checkParameters(String text) {
        Matcher query = QUERY.matcher(text);
        if (!query.find()) {
            return;
        }
        for (String parameter : query.group("parameters").split("&", -1)) {
            Matcher known = PARAMETER.matcher(parameter);
            if (!known.matches()) {
                throw new IllegalArgumentException("setting redis has the parameter '" + parameter
                        + "', which is not one of: timeout=DURATION with its unit, such as timeout=2s; database=NUMBER;"
                        + " clientName=NAME; verifyPeer=full, ca or none");
            }
        }
    }

    private static boolean hasOddHost(RedisURI uri) {
        if (!uri.getSentinels().isEmpty()) {
            return uri.getSentinels().stream().anyMatch(RedisLocation::hasOddHost);
        }
        String host = uri.getHost();
        return host != null && !HOST_NAME.matcher(host).matches() && !InetAddresses.isInetAddress(host);
    }

    private static String orNothing(String text) {
        return text == null ? "" : text;
    }

    private static void shorten(RedisURI uri) {
        if (uri.getTimeout().equals(RedisURI.DEFAULT_TIMEOUT_DURATION)) {
            uri.setTimeout(HANDSHAKE);
        }
    }

    /** Host and port of each, and no password. */
    @Override
    public String toString() {
        List<String> names = new ArrayList<>();
        for (RedisURI uri : uris) {
            if (uri.getSentinels().isEmpty()) {
                names.add(nameOf(uri));
            } else {
                uri.getSentinels().forEach(sentinel -> names.add(nameOf(sentinel)));
            }
        }
        return String.join(", ", names);
    }

    static String nameOf(RedisURI uri) {
        return uri.getSocket() == null ? uri.getHost() + ":" + uri.getPort() : uri.getSocket();
    }
}
