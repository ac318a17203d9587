package io.ratelimit.server.listen;

import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/**
 * Jetty's way to a port, by TLS where there is a certificate.
 *
 * @param place where it listens
 */
public record HttpConnector(Listening place) {

    /**
     * Makes one, which does not listen yet.
     *
     * @param server whose it is; it reads the keys when it starts
     * @param http how HTTP is spoken
     * @return the connector
     */
    public ServerConnector of(Server server, HttpConfiguration http) {
        http.setSendServerVersion(false);
        ServerConnector connector = place.tls() == null
                ? new ServerConnector(server, new HttpConnectionFactory(http))
                : secured(server, http, place.tls());
        connector.setHost(place.host());
        connector.setPort(place.port());
        return connector;
    }

    private static ServerConnector secured(Server server, HttpConfiguration http, TlsSettings tls) {
        http.addCustomizer(new SecureRequestCustomizer(false));
        SslContextFactory.Server certificate = tls.certificate();
        // The keys are read with the server's start, before anything listens.
        server.addBean(certificate);
        return new ServerConnector(
                server, new SslConnectionFactory(certificate, "http/1.1"), new HttpConnectionFactory(http));
    }
}
