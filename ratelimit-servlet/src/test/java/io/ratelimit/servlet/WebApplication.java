package io.ratelimit.servlet;

import jakarta.servlet.ServletContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/** An unpacked web application in a directory of the test, described by the text of its {@code web.xml}. */
final class WebApplication {

    private final Path directory;
    private final StringBuilder elements = new StringBuilder();
    private String contextPath = "";
    private Consumer<ServletContext> onStart = context -> {};

    WebApplication(Path directory) {
        this.directory = directory;
    }

    WebApplication at(String path) {
        contextPath = path;
        return this;
    }

    /** Adds elements of {@code web.xml}. */
    WebApplication with(String xml) {
        elements.append(xml).append('\n');
        return this;
    }

    WebApplication contextParam(String name, String value) {
        return with("<context-param><param-name>%s</param-name><param-value>%s</param-value></context-param>"
                .formatted(name, value));
    }

    /** Declares a limiter, with init-params as name and value in turns. */
    WebApplication filter(String name, String... params) {
        StringBuilder xml = new StringBuilder("<filter><filter-name>%s</filter-name><filter-class>%s</filter-class>"
                .formatted(name, RateLimitFilter.class.getName()));
        xml.append("<async-supported>true</async-supported>");
        for (int i = 0; i < params.length; i += 2) {
            xml.append("<init-param><param-name>%s</param-name><param-value>%s</param-value></init-param>"
                    .formatted(params[i], params[i + 1]));
        }
        return with(xml + "</filter>");
    }

    /** Declares and maps a filter of the application. */
    WebApplication otherFilter(String name, Class<?> type) {
        return with(("<filter><filter-name>%s</filter-name><filter-class>%s</filter-class>"
                                + "<async-supported>true</async-supported></filter>")
                        .formatted(name, type.getName()))
                .mapFilter(name, "/*");
    }

    WebApplication mapFilter(String name, String pattern, String... dispatchers) {
        StringBuilder xml = new StringBuilder(
                "<filter-mapping><filter-name>%s</filter-name><url-pattern>%s</url-pattern>".formatted(name, pattern));
        for (String dispatcher : dispatchers) {
            xml.append("<dispatcher>%s</dispatcher>".formatted(dispatcher));
        }
        return with(xml + "</filter-mapping>");
    }

    WebApplication servlet(Class<?> type, String... patterns) {
        StringBuilder xml =
                new StringBuilder("<servlet><servlet-name>%s</servlet-name><servlet-class>%s</servlet-class>"
                        .formatted(type.getSimpleName(), type.getName()));
        xml.append("<async-supported>true</async-supported></servlet>");
        for (String pattern : patterns) {
            xml.append("<servlet-mapping><servlet-name>%s</servlet-name><url-pattern>%s</url-pattern></servlet-mapping>"
                    .formatted(type.getSimpleName(), pattern));
        }
        return with(xml.toString());
    }

    WebApplication errorPage(int status, String location) {
        return with("<error-page><error-code>%d</error-code><location>%s</location></error-page>"
                .formatted(status, location));
    }

    /** Runs code as an initializer of the application would. */
    WebApplication onStart(Consumer<ServletContext> code) {
        onStart = code;
        return this;
    }

    /** Puts a file on the application's own class path. */
    WebApplication resource(String name, String content) {
        write(directory.resolve("WEB-INF/classes").resolve(name), content);
        return this;
    }

    /** Writes a rules file. */
    String rules(String content) {
        Path file = directory.resolve("WEB-INF/rules.yaml");
        write(file, "service: test\n" + content);
        return file.toString();
    }

    Path unpack() {
        write(directory.resolve("WEB-INF/web.xml"), """
                <?xml version="1.0" encoding="UTF-8"?>
                <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0">
                %s</web-app>
                """.formatted(elements));
        return directory;
    }

    String contextPath() {
        return contextPath;
    }

    Consumer<ServletContext> onStart() {
        return onStart;
    }

    private static void write(Path file, String content) {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
