package io.ratelimit.servlet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.catalina.Container;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.LifecycleState;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.util.scan.StandardJarScanner;

/** Tomcat, of the version that the class path holds. */
final class EmbeddedTomcat implements WebContainer {

    private final Tomcat tomcat = new Tomcat();

    @Override
    public int start(WebApplication... applications) throws Exception {
        tomcat.setBaseDir(workDirectory());
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        tomcat.setAddDefaultWebXmlToWebapp(false);
        tomcat.getConnector().addUpgradeProtocol(new Http2Protocol());
        List<Context> contexts = new ArrayList<>();
        for (WebApplication application : applications) {
            contexts.add(add(application));
        }
        tomcat.start();
        for (Context context : contexts) {
            if (context.getState() != LifecycleState.STARTED) {
                throw new LifecycleException("the application did not start");
            }
        }
        return tomcat.getConnector().getLocalPort();
    }

    private Context add(WebApplication application) {
        Context context = tomcat.addWebapp(
                application.contextPath(), application.unpack().toAbsolutePath().toString());
        ((StandardJarScanner) context.getJarScanner()).setScanClassPath(false);
        context.setParentClassLoader(Thread.currentThread().getContextClassLoader());
        context.addServletContainerInitializer(
                (classes, servletContext) -> application.onStart().accept(servletContext), null);
        return context;
    }

    private static String workDirectory() throws IOException {
        Path directory = Files.createDirectories(Path.of("target", "tomcat"));
        return directory.toAbsolutePath().toString();
    }

    @Override
    public void endApplications() throws LifecycleException {
        for (Container application : tomcat.getHost().findChildren()) {
            application.stop();
        }
    }

    @Override
    public void close() throws Exception {
        if (tomcat.getServer().getState() != LifecycleState.DESTROYED) {
            tomcat.stop();
            tomcat.destroy();
        }
    }
}
