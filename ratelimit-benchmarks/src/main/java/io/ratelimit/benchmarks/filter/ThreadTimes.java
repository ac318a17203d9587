package io.ratelimit.benchmarks.filter;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * The processor time of a process, added up over its threads as Linux counts them: to the nanosecond, while the Java
 * virtual machine tells its own in hundredths of a second; and the threads of the compiler and the collector are seen.
 */
final class ThreadTimes {

    private final Path threads;

    ThreadTimes(long pid) {
        this.threads = Path.of("/proc", Long.toString(pid), "task");
    }

    /** Whether this machine counts. */
    static boolean canBeRead() {
        return Files.isReadable(Path.of("/proc/thread-self/schedstat"));
    }

    /**
     * Reads what was used so far.
     *
     * @throws IOException if the process is gone
     */
    ProcessorTime read() throws IOException {
        long all = 0;
        long requests = 0;
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(threads)) {
            for (Path thread : directories) {
                long nanos = nanos(thread);
                all += nanos;
                if (servesRequests(thread)) {
                    requests += nanos;
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return new ProcessorTime(all, requests);
    }

    /** A thread that ends meanwhile has done nothing to speak of. */
    private static long nanos(Path thread) throws IOException {
        try {
            String numbers = Files.readString(thread.resolve("schedstat"));
            return Long.parseLong(numbers.substring(0, numbers.indexOf(' ')));
        } catch (NoSuchFileException ended) {
            return 0;
        }
    }

    private static boolean servesRequests(Path thread) throws IOException {
        try {
            return Files.readString(thread.resolve("comm")).startsWith(FilterServer.THREAD_NAME);
        } catch (NoSuchFileException ended) {
            return false;
        }
    }
}
