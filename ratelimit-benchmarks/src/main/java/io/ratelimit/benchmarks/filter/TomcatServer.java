package io.ratelimit.benchmarks.filter;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.http.fileupload.FileUtils;

/** Tomcat as it is, but for the number of threads, and for connections that stay open. */
final class TomcatServer implements FilterServer {

    private static final String AS_MANY_REQUESTS_AS_COME = "-1";

    /** It tells every step at the level of information, and wants access to the inside of Java when it ends. */
    private final Logger log = Logger.getLogger("org.apache");

    private final Tomcat tomcat = new Tomcat();
    private final Path directory = temporaryDirectory();

    @Override
    public int start(List<Application> applications) throws LifecycleException {
        log.setLevel(Level.SEVERE);
        tomcat.setBaseDir(directory.toString());
        tomcat.setPort(0);
        Connector connector = tomcat.getConnector();
        connector.setProperty("address", "127.0.0.1");
        connector.setProperty("maxThreads", Integer.toString(THREADS));
        connector.setProperty("minSpareThreads", Integer.toString(THREADS));
        connector.setProperty("maxKeepAliveRequests", AS_MANY_REQUESTS_AS_COME);
        for (Application application : applications) {
            Context context = tomcat.addContext(application.contextPath(), null);
            context.addServletContainerInitializer(application, Set.of());
        }
        tomcat.start();
        return connector.getLocalPort();
    }

    private static Path temporaryDirectory() {
        try {
            return Files.createTempDirectory("tomcat");
        } catch (IOException e) {
            throw new UncheckedIOException("there is no place for Tomcat's files", e);
        }
    }

    @Override
    public void stop() throws LifecycleException, IOException {
        tomcat.stop();
        tomcat.destroy();
        FileUtils.deleteDirectory(directory.toFile());
    }
}
