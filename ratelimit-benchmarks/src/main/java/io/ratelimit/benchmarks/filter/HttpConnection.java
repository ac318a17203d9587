package io.ratelimit.benchmarks.filter;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;

/**
 * A connection that stays open, on which several requests are sent before the answers are read: that leaves the
 * processor to the server. Not thread-safe.
 */
final class HttpConnection implements Closeable {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int BUFFER = 1 << 16;
    private static final byte[] OK = "HTTP/1.1 200 ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] END_OF_HEAD = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final Socket socket;
    private final OutputStream out;
    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER];
    private int start;
    private int end;

    HttpConnection(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(Math.toIntExact(PATIENCE.toMillis()));
        out = socket.getOutputStream();
        in = socket.getInputStream();
    }

    void send(byte[] requests) throws IOException {
        out.write(requests);
    }

    /**
     * Reads some answers.
     *
     * @return the head of the last one
     * @throws IOException if one is not the answer of the application
     */
    String receive(int answers) throws IOException {
        for (int i = 1; i < answers; i++) {
            skip(headLength());
        }
        int length = headLength();
        String head = text(length);
        skip(length);
        return head;
    }

    private void skip(int headLength) {
        start += headLength + AnswerServlet.ANSWER.length();
    }

    /** The length of the head that begins here, once it has come with the body that follows. */
    private int headLength() throws IOException {
        int length = END_OF_HEAD.length;
        have(length);
        while (!isAt(start + length - END_OF_HEAD.length, END_OF_HEAD)) {
            length++;
            have(length);
        }
        if (!isAt(start, OK)) {
            throw new IOException("the server answers " + text(length));
        }
        have(length + AnswerServlet.ANSWER.length());
        return length;
    }

    private boolean isAt(int place, byte[] bytes) {
        return Arrays.equals(buffer, place, place + bytes.length, bytes, 0, bytes.length);
    }

    private String text(int length) {
        return new String(buffer, start, length, StandardCharsets.US_ASCII);
    }

    /** Reads until so many bytes are there. */
    private void have(int bytes) throws IOException {
        while (end - start < bytes) {
            if (end == buffer.length) {
                System.arraycopy(buffer, start, buffer, 0, end - start);
                end -= start;
                start = 0;
            }
            int read = in.read(buffer, end, buffer.length - end);
            if (read < 0) {
                throw new EOFException("the server has closed the connection");
            }
            end += read;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
