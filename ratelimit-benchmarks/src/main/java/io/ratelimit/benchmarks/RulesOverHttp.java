package io.ratelimit.benchmarks;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** A service that gives out rules, and takes reports and throws them away. */
final class RulesOverHttp implements AutoCloseable {

    private static final String REPORTS = "/reports";

    private final HttpServer server;

    /**
     * Starts the service.
     *
     * @param rules the rules
     * @param wantsReports whether hosts are asked to report
     */
    RulesOverHttp(RulesText rules, boolean wantsReports) {
        byte[] yaml = rules.toYaml().getBytes(StandardCharsets.UTF_8);
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/rules", exchange -> {
            if (wantsReports) {
                exchange.getResponseHeaders().set("Link", "<" + REPORTS + ">; rel=\"reports\"");
            }
            exchange.sendResponseHeaders(200, yaml.length);
            exchange.getResponseBody().write(yaml);
            exchange.close();
        });
        server.createContext(REPORTS, RulesOverHttp::takeAndForget);
        server.start();
    }

    private static void takeAndForget(HttpExchange exchange) throws IOException {
        exchange.getRequestBody().readAllBytes();
        exchange.sendResponseHeaders(204, -1);
        exchange.close();
    }

    /** Where the rules are. */
    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/rules";
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
