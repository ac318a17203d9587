package io.ratelimit.server.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** A client at an address of its own, who sends whatever it likes, byte by byte. */
record Visit(String address, int port) {

    /**
     * What came back.
     *
     * @param fields the header fields, by names in any case
     */
    record Reply(int status, Map<String, String> fields, String body, Duration time) {

        boolean isDecided() {
            return fields.containsKey("RateLimit");
        }
    }

    Reply get(String uri, String... fields) throws IOException {
        return send("GET", uri, "", fields);
    }

    Reply send(String method, String uri, String body, String... fields) throws IOException {
        StringBuilder request = new StringBuilder(method + " " + uri + " HTTP/1.1\r\nHost: orders.example.org\r\n");
        for (String field : fields) {
            request.append(field).append("\r\n");
        }
        if (!body.isEmpty() && !request.toString().contains("Transfer-Encoding")) {
            request.append("Content-Length: ").append(body.length()).append("\r\n");
        }
        request.append("Connection: close\r\n\r\n").append(body);
        long begin = System.nanoTime();
        try (Socket socket = new Socket()) {
            socket.bind(new InetSocketAddress(InetAddress.getByName(address), 0));
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 10_000);
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.UTF_8));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return reply(answer, Duration.ofNanos(System.nanoTime() - begin));
        }
    }

    private static Reply reply(String answer, Duration time) {
        int end = answer.indexOf("\r\n\r\n");
        if (end < 0) {
            throw new AssertionError("no answer: '" + answer + "'");
        }
        String[] lines = answer.substring(0, end).split("\r\n");
        Map<String, String> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (int i = 1; i < lines.length; i++) {
            String[] field = lines[i].split(": ", 2);
            fields.merge(field[0], field[1], (one, other) -> one + ", " + other);
        }
        return new Reply(Integer.parseInt(lines[0].split(" ")[1]), fields, answer.substring(end + 4), time);
    }
}
