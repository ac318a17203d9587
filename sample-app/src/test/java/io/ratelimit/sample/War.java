package io.ratelimit.sample;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;

/** An unpacked web application that greets at {@code /hello}, limited by nothing but a {@code web.xml} and rules. */
final class War {

    private final Path directory;
    private final Path webInf;

    private War(Path directory, Path webInf) {
        this.directory = directory;
        this.webInf = webInf;
    }

    /**
     * Writes the application.
     *
     * @param directory a directory of its own
     * @param service the service that its rules name
     * @param limit the limit of its one rule, which is called {@code hello}, and what else that rule says
     * @param settings the filter's other init-params
     */
    static War write(Path directory, String service, String limit, Map<String, String> settings) throws IOException {
        Path webInf = Files.createDirectories(directory.resolve("WEB-INF"));
        Path rules = Files.writeString(webInf.resolve("rules.yaml"), """
                service: %s
                clients: ["header:X-Api-Key", ip]
                storeTimeout: 2s
                rules:
                  - { name: hello, match: { path: /hello }, limits: %s }
                """.formatted(service, limit));
        Files.writeString(webInf.resolve("web.xml"), """
                <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1">
                  <filter>
                    <filter-name>ratelimit</filter-name>
                    <filter-class>io.ratelimit.servlet.RateLimitFilter</filter-class>
                    <async-supported>true</async-supported>
                    <init-param><param-name>rules</param-name><param-value>%s</param-value></init-param>
                %s
                  </filter>
                  <filter-mapping>
                    <filter-name>ratelimit</filter-name><url-pattern>/*</url-pattern>
                  </filter-mapping>
                  <servlet>
                    <servlet-name>hello</servlet-name>
                    <servlet-class>io.ratelimit.sample.HelloServlet</servlet-class>
                    <async-supported>true</async-supported>
                  </servlet>
                  <servlet-mapping>
                    <servlet-name>hello</servlet-name><url-pattern>/hello</url-pattern>
                  </servlet-mapping>
                </web-app>
                """.formatted(rules, initParams(settings)));
        return new War(directory, webInf);
    }

    /** Where classes are that are no jar's. */
    Path classes() throws IOException {
        return Files.createDirectories(webInf.resolve("classes"));
    }

    /** Where jars are. */
    Path libraries() throws IOException {
        return Files.createDirectories(webInf.resolve("lib"));
    }

    @Override
    public String toString() {
        return directory.toString();
    }

    private static String initParams(Map<String, String> settings) {
        return settings.entrySet().stream()
                .map(setting -> "<init-param><param-name>%s</param-name><param-value>%s</param-value></init-param>"
                        .formatted(setting.getKey(), setting.getValue()))
                .collect(Collectors.joining("\n"));
    }
}
