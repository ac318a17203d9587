package io.ratelimit.core.retrieve;

import com.google.common.base.Suppliers;
import java.net.InetAddress;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * What a rules service knows this host by: {@code HOSTNAME/INSTANCE}, whose second part is random, so that two engines of
 * one machine differ. Thread-safe.
 */
public final class HostName {

    private static final String UNKNOWN = "unknown";
    private static final Pattern VISIBLE_ASCII = Pattern.compile("[\\x21-\\x7E]{1,100}");

    /** A resolver that is away must not hold up the start. */
    private static final Duration PATIENCE = Duration.ofMillis(500);

    private final String instance = UUID.randomUUID().toString().substring(0, 8);
    private final Supplier<String> name;

    private HostName(Supplier<String> name) {
        this.name = name;
    }

    /**
     * A host with a name of its own.
     *
     * @param name 1 to 100 characters of visible ASCII
     * @return the host
     * @throws IllegalArgumentException if the name holds anything else
     */
    public static HostName of(String name) {
        if (!VISIBLE_ASCII.matcher(name).matches()) {
            throw new IllegalArgumentException("it must be 1 to 100 visible ASCII characters, without blanks");
        }
        return new HostName(() -> name);
    }

    /**
     * A host with the name of its machine, which is looked up when it is first asked for; {@code unknown} if that fails or
     * takes longer than half a second.
     *
     * @return the host
     */
    public static HostName ofMachine() {
        return lookedUp(() -> InetAddress.getLocalHost().getHostName());
    }

    static HostName lookedUp(Callable<String> lookup) {
        return new HostName(Suppliers.memoize(() -> within(PATIENCE, lookup)));
    }

    private static String within(Duration patience, Callable<String> lookup) {
        FutureTask<String> answer = new FutureTask<>(lookup);
        Thread thread = new Thread(answer, "ratelimit-host-name");
        thread.setDaemon(true);
        // A lookup cannot be interrupted: it may outlast the application.
        thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
        thread.start();
        try {
            String name = answer.get(patience.toNanos(), TimeUnit.NANOSECONDS);
            return VISIBLE_ASCII.matcher(name).matches() ? name : UNKNOWN;
        } catch (ExecutionException | TimeoutException e) {
            return UNKNOWN;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return UNKNOWN;
        }
    }

    /** The name with the instance. Where the machine's name is looked up, the first call may take half a second. */
    @Override
    public String toString() {
        return name.get() + "/" + instance;
    }
}
