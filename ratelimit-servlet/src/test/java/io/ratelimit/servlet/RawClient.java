package io.ratelimit.servlet;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/** A client that sends exactly what it is given: paths as they are spelt, methods in lower case, lines repeated. */
record RawClient(int port) {

    /** An answer as it came over the wire. */
    record Answer(int status, TreeMap<String, List<String>> headers, byte[] body) {

        String header(String name) {
            List<String> lines = headers.get(name);
            return lines == null ? null : lines.get(0);
        }

        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    Answer get(String target, String... headerLines) {
        return send("GET", target, new byte[0], headerLines);
    }

    Answer post(String target, String type, byte[] body, String... headerLines) {
        List<String> lines = new ArrayList<>(List.of("Content-Type: " + type, "Content-Length: " + body.length));
        lines.addAll(Arrays.asList(headerLines));
        return send("POST", target, body, lines.toArray(String[]::new));
    }

    /** Speaks HTTP/1.0, whose answers end with the connection and come in one piece. */
    Answer send(String method, String target, byte[] body, String... headerLines) {
        String head = method + " " + target + " HTTP/1.0\r\nHost: localhost\r\n"
                + String.join(
                        "",
                        Arrays.stream(headerLines).map(line -> line + "\r\n").toList()) + "\r\n";
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(20_000);
            OutputStream out = socket.getOutputStream();
            out.write(head.getBytes(StandardCharsets.ISO_8859_1));
            out.write(body);
            out.flush();
            return parse(socket.getInputStream().readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Sends a text and reads until the server ends the connection, by a close or a reset.
     *
     * @return what came back
     */
    String exchange(String text) {
        ByteArrayOutputStream received = new ByteArrayOutputStream();
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(5_000);
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
            socket.getInputStream().transferTo(received);
        } catch (SocketTimeoutException e) {
            throw new UncheckedIOException("the connection stays open", e);
        } catch (SocketException reset) {
            return received.toString(StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return received.toString(StandardCharsets.ISO_8859_1);
    }

    private static Answer parse(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        int end = text.indexOf("\r\n\r\n");
        String[] lines = text.substring(0, end).split("\r\n");
        TreeMap<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String line : Arrays.asList(lines).subList(1, lines.length)) {
            int colon = line.indexOf(':');
            headers.computeIfAbsent(line.substring(0, colon).toLowerCase(Locale.ROOT), name -> new ArrayList<>())
                    .add(line.substring(colon + 1).strip());
        }
        return new Answer(
                Integer.parseInt(lines[0].split(" ")[1]), headers, Arrays.copyOfRange(bytes, end + 4, bytes.length));
    }
}
