package io.ratelimit.core.retrieve;

import com.google.common.hash.Hashing;
import io.ratelimit.TimeSource;
import io.ratelimit.rules.RulesDocument;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLConnection;
import java.util.Optional;
import java.util.jar.JarEntry;
import org.jspecify.annotations.Nullable;

/** Rules that are packed with the application: read once, unchanged until the application is deployed anew. */
final class ClasspathRulesSource implements PolledRulesSource {

    private final String name;
    private final ClassLoader loader;
    private final TimeSource time;
    private @Nullable RulesDocument given;

    ClasspathRulesSource(String name, ClassLoader loader, TimeSource time) {
        this.name = name;
        this.loader = loader;
        this.time = time;
    }

    @Override
    public String location() {
        return "classpath:" + name;
    }

    @Override
    public PollSchedule defaultSchedule() {
        return PollSchedule.ONCE;
    }

    @Override
    public Optional<RulesDocument> retrieve(@Nullable RulesDocument last) throws IOException {
        if (last != null && last == given) {
            return Optional.empty();
        }
        RulesDocument document = read();
        given = document;
        return Optional.of(document);
    }

    private RulesDocument read() throws IOException {
        URL url = loader.getResource(name);
        if (url == null) {
            throw new FileNotFoundException(location() + ": is not on the class path: add it to the resources of the"
                    + " application (WEB-INF/classes in a WAR), or name another location");
        }
        URLConnection connection = url.openConnection();
        // A cached connection would keep the application's jar open after it is undeployed.
        connection.setUseCaches(false);
        try (InputStream in = connection.getInputStream()) {
            byte[] content = in.readNBytes(ContentLimit.BYTES + 1);
            if (content.length > ContentLimit.BYTES) {
                throw ContentLimit.exceeded(location());
            }
            // When it was deployed: the file's time, or the jar's. Of two deployments the later is the newer one.
            String tag = "sha256:" + Hashing.sha256().hashBytes(content);
            long version = DocumentVersion.next(null, lastModified(connection), time);
            return new RulesDocument(location(), content, tag, version);
        }
    }

    /** The connection of a jar, asked for this itself, would open the file a second time and leave it open. */
    private static long lastModified(URLConnection connection) throws IOException {
        if (!(connection instanceof JarURLConnection jar)) {
            return connection.getLastModified();
        }
        URL file = jar.getJarFileURL();
        if (file.getProtocol().equals("file")) {
            try {
                return new File(file.toURI()).lastModified();
            } catch (URISyntaxException | IllegalArgumentException e) {
                return DocumentVersion.NOT_DATED;
            }
        }
        JarEntry entry = jar.getJarEntry();
        return entry == null ? DocumentVersion.NOT_DATED : entry.getTime();
    }
}
