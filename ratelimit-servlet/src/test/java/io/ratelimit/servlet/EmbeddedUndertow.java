package io.ratelimit.servlet;

import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.server.HttpHandler;
import io.undertow.server.handlers.CanonicalPathHandler;
import io.undertow.server.handlers.PathHandler;
import io.undertow.servlet.Servlets;
import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.servlet.api.DeploymentManager;
import io.undertow.servlet.api.ServletContainer;
import io.undertow.servlet.api.ServletContainerInitializerInfo;
import io.undertow.servlet.util.ImmediateInstanceFactory;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Undertow, with the part of the server around it that reads {@code web.xml} and finds initializers. */
final class EmbeddedUndertow implements WebContainer {

    private final ServletContainer container = Servlets.newContainer();
    private final List<DeploymentManager> deployments = new ArrayList<>();
    private final List<URLClassLoader> classLoaders = new ArrayList<>();
    private final UnaryOperator<HttpHandler> inFront;
    private Undertow server;

    EmbeddedUndertow() {
        this(CanonicalPathHandler::new);
    }

    /** With a handler of one's own in front of the applications, in place of the one that resolves dot segments. */
    EmbeddedUndertow(UnaryOperator<HttpHandler> inFront) {
        this.inFront = inFront;
    }

    @Override
    public int start(WebApplication... applications) throws Exception {
        PathHandler paths = new PathHandler();
        for (WebApplication application : applications) {
            DeploymentManager deployment = container.addDeployment(describe(application));
            deployments.add(deployment);
            deployment.deploy();
            paths.addPrefixPath(pathOf(application), deployment.start());
        }
        server = Undertow.builder()
                .addHttpListener(0, "127.0.0.1", inFront.apply(paths))
                .setIoThreads(1)
                .setWorkerThreads(4)
                .setServerOption(UndertowOptions.ENABLE_HTTP2, true)
                .build();
        server.start();
        return ((InetSocketAddress) server.getListenerInfo().get(0).getAddress()).getPort();
    }

    private DeploymentInfo describe(WebApplication application) throws Exception {
        Path directory = application.unpack();
        URL classes = directory.resolve("WEB-INF/classes/").toUri().toURL();
        URLClassLoader classLoader =
                new URLClassLoader(new URL[] {classes}, Thread.currentThread().getContextClassLoader());
        classLoaders.add(classLoader);
        DeploymentInfo deployment = new DeploymentInfo()
                .setDeploymentName("app" + application.contextPath())
                .setContextPath(pathOf(application))
                .setEagerFilterInit(true)
                .setClassLoader(classLoader);
        new WebXml(directory.resolve("WEB-INF/web.xml")).addTo(deployment);
        for (ServletContainerInitializer found : ServiceLoader.load(ServletContainerInitializer.class, classLoader)) {
            if (found instanceof RateLimitInitializer) {
                deployment.addServletContainerInitializer(initializer(found));
            }
        }
        return deployment.addServletContainerInitializer(
                initializer((classes1, context) -> application.onStart().accept(context)));
    }

    private static ServletContainerInitializerInfo initializer(ServletContainerInitializer initializer) {
        return new ServletContainerInitializerInfo(
                initializer.getClass(), new ImmediateInstanceFactory<>(initializer), Set.of());
    }

    private static String pathOf(WebApplication application) {
        return application.contextPath().isEmpty() ? "/" : application.contextPath();
    }

    @Override
    public boolean keepsFieldsOfFailures() {
        return false;
    }

    @Override
    public boolean tellsOfResets() {
        return false;
    }

    @Override
    public void endApplications() throws ServletException {
        for (DeploymentManager deployment : deployments) {
            deployment.stop();
        }
    }

    @Override
    public void close() throws ServletException, IOException {
        for (DeploymentManager deployment : deployments) {
            if (deployment.getState() == DeploymentManager.State.STARTED) {
                deployment.stop();
            }
            if (deployment.getState() == DeploymentManager.State.DEPLOYED) {
                deployment.undeploy();
            }
        }
        if (server != null) {
            server.stop();
        }
        for (URLClassLoader classLoader : classLoaders) {
            classLoader.close();
        }
    }
}
