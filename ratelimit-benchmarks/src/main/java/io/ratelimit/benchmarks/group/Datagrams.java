package io.ratelimit.benchmarks.group;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** How many datagrams this machine has sent, as Linux counts them. */
final class Datagrams {

    private static final Path COUNTERS = Path.of("/proc/net/snmp");
    private static final String SENT = "OutDatagrams";

    private Datagrams() {}

    /** All since the machine was started; 0 where nobody counts. */
    static long sent() throws IOException {
        if (!Files.isReadable(COUNTERS)) {
            return 0;
        }
        List<String[]> lines = Files.readAllLines(COUNTERS).stream()
                .filter(line -> line.startsWith("Udp: "))
                .map(line -> line.split(" ", -1))
                .toList();
        int column = List.of(lines.get(0)).indexOf(SENT);
        return Long.parseLong(lines.get(1)[column]);
    }
}
