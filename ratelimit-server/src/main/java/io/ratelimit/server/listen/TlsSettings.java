package io.ratelimit.server.listen;

import java.nio.file.Path;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/**
 * The server's certificate.
 *
 * @param keyStore a PKCS #12 file with one key and its certificates
 * @param password the file's password
 */
public record TlsSettings(Path keyStore, String password) {

    /** As Jetty takes it, which reads it when it starts. */
    SslContextFactory.Server certificate() {
        SslContextFactory.Server certificate = new SslContextFactory.Server();
        certificate.setKeyStorePath(keyStore.toString());
        certificate.setKeyStoreType("PKCS12");
        certificate.setKeyStorePassword(password);
        return certificate;
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "TlsSettings[" + keyStore + "]";
    }
}
