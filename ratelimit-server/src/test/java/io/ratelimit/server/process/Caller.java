package io.ratelimit.server.process;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Asks a daemon on one connection, which it keeps for as long as the daemon does. Where a connection that was idle turns
 * out to be closed, it asks once more on another, as HTTP allows. Not thread-safe.
 */
final class Caller implements AutoCloseable {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final int port;
    private final int deadlineMillis;
    private @Nullable Socket socket;
    private @Nullable InputStream in;

    Caller(URI daemon, Duration deadline) {
        this.port = daemon.getPort();
        this.deadlineMillis = (int) deadline.toMillis();
    }

    /** An answer with another status than that of a decision. */
    static final class NoDecisionException extends IOException {

        private static final long serialVersionUID = 1L;

        NoDecisionException(String status) {
            super(status);
        }
    }

    /** A connection that was closed before the first byte of an answer. */
    private static final class ClosedException extends IOException {

        private static final long serialVersionUID = 1L;

        ClosedException(IOException cause) {
            super("closed before an answer", cause);
        }
    }

    /** The decision on a request of a user for a path. */
    JsonNode decide(String path, String user) throws IOException {
        byte[] request = request("{\"path\":\"" + path + "\",\"user\":\"" + user + "\"}");
        boolean isKept = socket != null;
        try {
            return exchange(request);
        } catch (ClosedException e) {
            close();
            if (!isKept) {
                throw e;
            }
            return again(request);
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    private JsonNode again(byte[] request) throws IOException {
        try {
            return exchange(request);
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    private static byte[] request(String body) {
        return ("POST /v1/decide HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
                        + body.length() + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.US_ASCII);
    }

    private JsonNode exchange(byte[] request) throws IOException {
        InputStream answers = in == null ? connect() : in;
        String status = begin(request, answers);
        int length = 0;
        boolean isLast = false;
        for (String line = line(answers); !line.isEmpty(); line = line(answers)) {
            if (line.startsWith("Content-Length: ")) {
                length = Integer.parseInt(line.substring("Content-Length: ".length()));
            }
            isLast |= line.equalsIgnoreCase("Connection: close");
        }
        byte[] body = answers.readNBytes(length);
        if (body.length < length) {
            throw new EOFException("cut off after " + body.length + " of " + length + " bytes");
        }
        if (isLast) {
            close();
        }
        if (!status.startsWith("HTTP/1.1 200 ")) {
            throw new NoDecisionException(status);
        }
        return MAPPER.readTree(body);
    }

    /** The status line, which tells whether the daemon has begun to answer. */
    private String begin(byte[] request, InputStream answers) throws IOException {
        try {
            if (socket != null) {
                socket.getOutputStream().write(request);
            }
            answers.mark(1);
            if (answers.read() < 0) {
                throw new EOFException();
            }
            answers.reset();
        } catch (SocketTimeoutException e) {
            throw e;
        } catch (IOException e) {
            throw new ClosedException(e);
        }
        return line(answers);
    }

    private InputStream connect() throws IOException {
        Socket connection = new Socket();
        socket = connection;
        connection.setTcpNoDelay(true);
        connection.setSoTimeout(deadlineMillis);
        connection.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), deadlineMillis);
        InputStream answers = new BufferedInputStream(connection.getInputStream());
        in = answers;
        return answers;
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("cut off after '" + line + "'");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        if (socket != null) {
            socket.close();
        }
        socket = null;
        in = null;
    }
}
