package io.ratelimit.benchmarks.filter;

import com.sun.management.ThreadMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A process that serves all variants of one container, so that they share the compiler's work, the heap and whatever
 * the machine does. It answers questions of the process that measures, and ends when that one no longer asks.
 */
final class FilterServerProcess {

    static final String PORT = "port ";
    static final String ALLOCATED = "allocated ";

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final Container container;

    private FilterServerProcess(Container container) {
        this.container = container;
    }

    /**
     * Serves until standard input ends. Says its port first; after that, says for each line that it reads how many bytes
     * its threads have allocated.
     *
     * @param args the container's name
     * @throws Exception if the container does not start or stop
     */
    public static void main(String[] args) throws Exception {
        BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        new FilterServerProcess(Container.valueOf(args[0])).serve(questions, System.out);
    }

    private void serve(BufferedReader questions, PrintStream answers) throws Exception {
        FilterServer server = container.newServer();
        try {
            answers.println(PORT
                    + server.start(
                            container.variants().stream().map(Application::new).toList()));
            answerAll(questions, answers);
        } finally {
            server.stop();
        }
    }

    private void answerAll(BufferedReader questions, PrintStream answers) throws IOException {
        while (questions.readLine() != null) {
            answers.println(ALLOCATED + allocatedBytes());
        }
    }

    private long allocatedBytes() {
        return Arrays.stream(threads.getThreadAllocatedBytes(threads.getAllThreadIds()))
                .filter(bytes -> bytes > 0)
                .sum();
    }
}
