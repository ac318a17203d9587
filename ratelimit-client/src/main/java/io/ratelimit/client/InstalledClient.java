package io.ratelimit.client;

import java.net.Proxy;
import java.net.ProxySelector;
import java.net.URI;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Takes Jetty's HTTP client where it is on the class path, since it takes less than a third of the time and knows Unix
 * domain sockets; else, and where a proxy is set for the address, that of the JDK.
 */
final class InstalledClient implements TransportFactory {

    @Override
    public Transport open(DaemonAddress address, @Nullable SSLContext trusted, int mostCalls) {
        if (isBehindProxy(address)) {
            return new JdkTransport(address.text(), trusted);
        }
        try {
            return new JettyTransport(address, trusted, mostCalls);
        } catch (LinkageError e) {
            // Not there, or too old a version.
            if (address.socket() == null) {
                return new JdkTransport(address.text(), trusted);
            }
            throw new IllegalStateException(
                    address.text() + " needs org.eclipse.jetty:jetty-client on the class path, which knows Unix domain"
                            + " sockets; the JDK's client does not",
                    e);
        }
    }

    /** The JDK's client knows what is to be known of proxies: tunnels, and who may ask them. */
    private static boolean isBehindProxy(DaemonAddress address) {
        ProxySelector selector = ProxySelector.getDefault();
        if (selector == null || address.socket() != null) {
            return false;
        }
        List<Proxy> proxies = selector.select(URI.create(address.text()));
        return !proxies.isEmpty() && proxies.get(0).type() == Proxy.Type.HTTP;
    }
}
