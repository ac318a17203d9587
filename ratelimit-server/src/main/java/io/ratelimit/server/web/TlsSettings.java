package io.ratelimit.server.web;

import java.nio.file.Path;

/**
 * The server's certificate.
 *
 * @param keyStore a PKCS #12 file with one key and its certificates
 * @param password the file's password
 */
public record TlsSettings(Path keyStore, String password) {

    /** Without the password. */
    @Override
    public String toString() {
        return "TlsSettings[" + keyStore + "]";
    }
}
