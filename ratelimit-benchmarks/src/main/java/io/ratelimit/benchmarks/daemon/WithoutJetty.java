package io.ratelimit.benchmarks.daemon;

import io.ratelimit.RateLimiter;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/** Loads the daemon's client anew, as where Jetty's HTTP client is not on the class path. */
final class WithoutJetty extends ClassLoader {

    private static final String JETTY = "org.eclipse.jetty.";
    private static final String CLIENT = "io.ratelimit.client.";

    WithoutJetty() {
        super(WithoutJetty.class.getClassLoader());
    }

    /**
     * Makes a limiter that asks a daemon by the JDK's HTTP client.
     *
     * @param address where the daemon is
     * @param deadline of each decision
     */
    Asking remote(String address, Duration deadline) throws ReflectiveOperationException {
        Object builder = loadClass(CLIENT + "RemoteRateLimiter")
                .getMethod("of", String[].class)
                .invoke(null, (Object) new String[] {address});
        Class<?> type = builder.getClass();
        type.getMethod("deadline", Duration.class).invoke(builder, deadline);
        RateLimiter limiter = (RateLimiter) type.getMethod("build").invoke(builder);
        return new LimiterAsking(limiter, () -> close((AutoCloseable) limiter));
    }

    private static void close(AutoCloseable limiter) {
        try {
            limiter.close();
        } catch (Exception e) {
            throw new IllegalStateException("the limiter cannot be closed", e);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (name.startsWith(JETTY)) {
            throw new ClassNotFoundException(name);
        }
        if (!name.startsWith(CLIENT)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? define(name) : loaded;
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = in.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }
}
