package io.ratelimit.benchmarks;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.ref.Reference;
import org.openjdk.jol.info.GraphLayout;

/**
 * A process that fills one table and says what it takes. Each client spends a token under a limit that does not refill
 * meanwhile, so that none may be forgotten.
 */
final class FootprintProcess {

    /** The sizes of objects are added up over fewer clients: the walk remembers every object that it has seen. */
    private static final int MOST_WALKED = 50_000;

    /** From half of the clients on, so often is the heap looked at on the way. */
    private static final int STEPS = 5;

    private final MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    private final Table table;
    private final int clients;

    private FootprintProcess(Table table, int clients) {
        this.table = table;
        this.clients = clients;
    }

    /**
     * Measures one table and prints three numbers: bytes of the heap for each client, the most on the way, bytes of
     * objects.
     *
     * @param args the table's name and the number of clients
     */
    public static void main(String[] args) {
        new FootprintProcess(Table.valueOf(args[0]), Integer.parseInt(args[1])).print(System.out);
    }

    private void print(PrintStream out) {
        double objects = objectBytes();
        ClientNames names = new ClientNames(clients);
        // What is loaded and made once is not counted.
        fill(table.empty(TestedLimits.KEEPS_CLIENTS), names, 0, MOST_WALKED / 10);
        long before = usedHeap();
        ClientTable filled = table.empty(TestedLimits.KEEPS_CLIENTS);
        try {
            double most = 0;
            double last = 0;
            int known = 0;
            for (int step = 0; step <= STEPS; step++) {
                int next = Math.toIntExact((long) clients * (STEPS + step) / (2 * STEPS));
                fill(filled, names, known, next);
                known = next;
                last = (double) (usedHeap() - before) / known;
                most = Math.max(most, last);
            }
            out.println("footprint " + last + " " + most + " " + objects);
        } finally {
            Reference.reachabilityFence(filled);
            Reference.reachabilityFence(names);
        }
    }

    private double objectBytes() {
        int walked = Math.min(clients, MOST_WALKED);
        ClientNames names = new ClientNames(walked);
        ClientTable filled = table.empty(TestedLimits.KEEPS_CLIENTS);
        fill(filled, names, 0, 1);
        long one = GraphLayout.parseInstance(filled).totalSize();
        fill(filled, names, 1, walked);
        return (double) (GraphLayout.parseInstance(filled).totalSize() - one) / (walked - 1);
    }

    private static void fill(ClientTable table, ClientNames names, int from, int to) {
        for (int client = from; client < to; client++) {
            if (!table.tryAcquire(names.of(client))) {
                throw new IllegalStateException("client " + client + " is refused");
            }
        }
    }

    private long usedHeap() {
        memory.gc();
        return memory.getHeapMemoryUsage().getUsed();
    }
}
