package io.ratelimit.server.process;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;

/** A service that tells what it got: method, URI and length of the body, with the status that {@code X-Answer} wants. */
final class EchoService implements AutoCloseable {

    private final Server server = new Server();
    private final ServerConnector connector;

    private EchoService() {
        HttpConfiguration http = new HttpConfiguration();
        http.setUriCompliance(UriCompliance.UNSAFE);
        http.setRequestHeaderSize(256 << 10);
        connector = new ServerConnector(server, new HttpConnectionFactory(http));
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        server.setHandler(new Echo());
    }

    static EchoService start() throws Exception {
        EchoService service = new EchoService();
        service.server.start();
        return service;
    }

    int port() {
        return connector.getLocalPort();
    }

    private static final class Echo extends Handler.Abstract {

        @Override
        public boolean handle(Request request, Response response, Callback callback) throws Exception {
            int length = Content.Source.asByteBuffer(request).remaining();
            String told = request.getMethod() + " " + request.getHttpURI().getPathQuery() + " " + length;
            String status = request.getHeaders().get("X-Answer");
            response.setStatus(status == null ? 200 : Integer.parseInt(status));
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain");
            Content.Sink.write(response, true, told, callback);
            return true;
        }
    }

    @Override
    public void close() throws Exception {
        server.stop();
    }
}
