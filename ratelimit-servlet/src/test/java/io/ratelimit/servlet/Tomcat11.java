package io.ratelimit.servlet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.LifecycleState;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.scan.StandardJarScanner;

/** Embedded Tomcat 11. */
final class Tomcat11 implements WebContainer {

    private final Tomcat tomcat = new Tomcat();

    @Override
    public int start(WebApplication application) throws Exception {
        tomcat.setBaseDir(workDirectory());
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        tomcat.setAddDefaultWebXmlToWebapp(false);
        Context context = tomcat.addWebapp(
                application.contextPath(), application.unpack().toAbsolutePath().toString());
        ((StandardJarScanner) context.getJarScanner()).setScanClassPath(false);
        context.setParentClassLoader(Thread.currentThread().getContextClassLoader());
        context.addServletContainerInitializer(
                (classes, servletContext) -> application.onStart().accept(servletContext), null);
        tomcat.start();
        if (context.getState() != LifecycleState.STARTED) {
            throw new LifecycleException("the application did not start");
        }
        return tomcat.getConnector().getLocalPort();
    }

    private static String workDirectory() throws IOException {
        Path directory = Files.createDirectories(Path.of("target", "tomcat"));
        return directory.toAbsolutePath().toString();
    }

    @Override
    public void close() throws Exception {
        if (tomcat.getServer().getState() != LifecycleState.DESTROYED) {
            tomcat.stop();
            tomcat.destroy();
        }
    }
}
