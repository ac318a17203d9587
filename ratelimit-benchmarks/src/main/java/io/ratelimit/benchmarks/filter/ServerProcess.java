package io.ratelimit.benchmarks.filter;

import io.ratelimit.benchmarks.Conversation;
import io.ratelimit.benchmarks.ForkedProgram;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/** A running {@link FilterServerProcess}, as seen by the process that measures. */
final class ServerProcess implements Closeable {

    private final Conversation talk;
    private final int port;

    private ServerProcess(Conversation talk) throws IOException {
        this.talk = talk;
        this.port = Math.toIntExact(number(FilterServerProcess.PORT));
    }

    /**
     * Starts one and waits until it serves.
     *
     * @throws IOException if it does not
     */
    static ServerProcess start(Container container, List<String> jvmFlags) throws IOException {
        Process process = new ForkedProgram(FilterServerProcess.class, jvmFlags).start(List.of(container.name()));
        try {
            return new ServerProcess(new Conversation(process));
        } catch (IOException | RuntimeException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    int port() {
        return port;
    }

    ThreadTimes threadTimes() {
        return new ThreadTimes(talk.process().pid());
    }

    /** What all threads together have allocated. */
    long allocatedBytes() throws IOException {
        talk.order("allocated?");
        return number(FilterServerProcess.ALLOCATED);
    }

    private long number(String word) throws IOException {
        return Long.parseLong(talk.hear(word));
    }

    /** Ends the process: it serves no longer than it is asked. */
    @Override
    public void close() {
        talk.close();
    }
}
