package io.ratelimit.core;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * The identity of a server on the loopback address, made by the JDK's keytool.
 *
 * @param context with its key
 * @param certificate in PEM
 * @param key its private key, in PEM
 * @param store both as a JVM takes them, under {@link #PASSWORD}
 */
public record SelfSigned(SSLContext context, String certificate, String key, Path store) {

    /** Opens the store. */
    public static final String PASSWORD = "changeit";

    /** Makes one. */
    public static SelfSigned in(Path directory) throws IOException, InterruptedException, GeneralSecurityException {
        Path store = directory.resolve("api.p12");
        Path pem = directory.resolve("api.pem");
        keytool(
                "-genkeypair",
                "-alias",
                "api",
                "-keyalg",
                "EC",
                "-dname",
                "CN=api",
                "-ext",
                "san=ip:127.0.0.1",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD);
        keytool(
                "-exportcert",
                "-rfc",
                "-alias",
                "api",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD,
                "-file",
                pem.toString());
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        String key = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(keys.getKey("api", PASSWORD.toCharArray()).getEncoded());
        return new SelfSigned(
                context,
                Files.readString(pem).replace("\r", ""),
                "-----BEGIN PRIVATE KEY-----\n" + key + "\n-----END PRIVATE KEY-----\n",
                store);
    }

    private static void keytool(String... args) throws IOException, InterruptedException {
        String[] command = new String[args.length + 1];
        command[0] = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        System.arraycopy(args, 0, command, 1, args.length);
        Process process = new ProcessBuilder(command).inheritIO().start();
        if (process.waitFor() != 0) {
            throw new IOException("keytool ended with " + process.exitValue());
        }
    }
}
