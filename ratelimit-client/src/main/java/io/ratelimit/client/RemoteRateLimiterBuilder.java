package io.ratelimit.client;

import io.ratelimit.RateLimitListener;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Configures a {@link RemoteRateLimiter}. Not thread-safe. */
public final class RemoteRateLimiterBuilder {

    private static final Duration LONGEST_DEADLINE = Duration.ofMinutes(1);

    private final List<DaemonAddress> addresses;
    private Supplier<@Nullable String> token = () -> null;
    private Duration deadline = Duration.ofMillis(50);
    private int mostCalls = 1_000;
    private boolean settles;
    private SentFields fields = SentFields.NONE;
    private RateLimitListener listener = new RateLimitListener() {};
    private @Nullable SSLContext sslContext;
    private @Nullable LocalSettings local;
    private TransportFactory transports = new InstalledClient();

    RemoteRateLimiterBuilder(List<String> addresses) {
        this.addresses = addresses.stream().map(DaemonAddress::parse).toList();
        if (addresses.isEmpty()) {
            throw new IllegalArgumentException(
                    "no address is given: name at least one daemon, such as " + DaemonAddress.EXAMPLE);
        }
    }

    /**
     * The token that daemons want.
     *
     * @param bearer the token alone; never logged
     * @return this builder
     */
    public RemoteRateLimiterBuilder token(String bearer) {
        Objects.requireNonNull(bearer, "token");
        return token(() -> bearer);
    }

    /**
     * The token that daemons want, where it changes.
     *
     * @param bearer gives the token for each call, at once; null for none
     * @return this builder
     */
    public RemoteRateLimiterBuilder token(Supplier<@Nullable String> bearer) {
        this.token = Objects.requireNonNull(bearer, "token");
        return this;
    }

    /**
     * How long a decision may take, connecting and other daemons included.
     *
     * @param longest more than 0, at most a minute; 50 ms by default
     * @return this builder
     */
    public RemoteRateLimiterBuilder deadline(Duration longest) {
        this.deadline = longest;
        return this;
    }

    /**
     * How many calls to daemons may be without an answer. A request that finds more passes at once, or is decided by local
     * limits.
     *
     * @param most at least 1; 1,000 by default
     * @return this builder
     */
    public RemoteRateLimiterBuilder mostCalls(int most) {
        this.mostCalls = most;
        return this;
    }

    /**
     * Names headers that rules look at.
     *
     * @param names names in any case, such as {@code X-Api-Key}; none by default, and {@code Authorization} only if it is
     *     here
     * @return this builder
     */
    public RemoteRateLimiterBuilder headers(String... names) {
        fields = new SentFields(List.of(names), fields.cookies(), fields.attributes(), fields.queryParameters());
        return this;
    }

    /**
     * Names cookies that rules look at.
     *
     * @param names names of cookies; none by default
     * @return this builder
     */
    public RemoteRateLimiterBuilder cookies(String... names) {
        fields = new SentFields(fields.headers(), List.of(names), fields.attributes(), fields.queryParameters());
        return this;
    }

    /**
     * Names attributes that rules look at. They are sent as texts.
     *
     * @param names names of attributes, such as {@code tier}; none by default
     * @return this builder
     */
    public RemoteRateLimiterBuilder attributes(String... names) {
        fields = new SentFields(fields.headers(), fields.cookies(), List.of(names), fields.queryParameters());
        return this;
    }

    /**
     * Names parameters of the query that rules look at, such as one that a cost is read from.
     *
     * @param names names of parameters; none by default
     * @return this builder
     */
    public RemoteRateLimiterBuilder queryParameters(String... names) {
        fields = new SentFields(fields.headers(), fields.cookies(), fields.attributes(), List.of(names));
        return this;
    }

    /**
     * Whether every decision that charges can be settled. Otherwise those alone that must be.
     *
     * @param always true where the application confirms other costs or gives charges back; false by default
     * @return this builder
     */
    public RemoteRateLimiterBuilder settles(boolean always) {
        this.settles = always;
        return this;
    }

    /**
     * Whom to trust with https.
     *
     * @param context the JDK's own by default
     * @return this builder
     */
    public RemoteRateLimiterBuilder sslContext(SSLContext context) {
        this.sslContext = context;
        return this;
    }

    /**
     * Who hears of decisions, and of calls that brought none: {@code store-timeout} or {@code store-error}.
     *
     * @param hearing the listener; nobody by default
     * @return this builder
     */
    public RemoteRateLimiterBuilder listener(RateLimitListener hearing) {
        this.listener = Objects.requireNonNull(hearing, "listener");
        return this;
    }

    /**
     * Lets this process decide where no daemon does, by the daemon's own rules and each rule's {@code onFailure}. The rules
     * are kept in the temporary directory for the next start, where a daemon has an address by http. Needs
     * {@code ratelimit-core} on the class path.
     *
     * @return this builder
     */
    public RemoteRateLimiterBuilder localLimits() {
        return localLimits(new LocalSettings(null, LocalSettings.MOST_CLIENTS, null));
    }

    /**
     * Lets this process decide where no daemon does, as {@link #localLimits()} does.
     *
     * @param lastGoodFile where the rules are kept for the next start; its directory must exist
     * @param mostClients how many buckets this process keeps at most, at least 1
     * @return this builder
     */
    public RemoteRateLimiterBuilder localLimits(Path lastGoodFile, int mostClients) {
        return localLimits(new LocalSettings(lastGoodFile, mostClients, null));
    }

    RemoteRateLimiterBuilder localLimits(LocalSettings settings) {
        local = settings;
        return this;
    }

    RemoteRateLimiterBuilder transports(TransportFactory factory) {
        transports = factory;
        return this;
    }

    /**
     * Makes the limiter and asks each daemon whether it is there, so that the first request finds all in place: that takes
     * two seconds at most, or a few more with local limits, and does not fail where no daemon answers.
     *
     * @return the limiter; to be closed
     * @throws IllegalArgumentException if a setting is out of its range
     * @throws IllegalStateException if something is asked for that needs a library which is not there
     */
    public RemoteRateLimiter build() {
        if (deadline.isNegative() || deadline.isZero() || deadline.compareTo(LONGEST_DEADLINE) > 0) {
            throw new IllegalArgumentException(
                    "deadline is " + deadline + ": it must be more than 0 and at most " + LONGEST_DEADLINE);
        }
        if (mostCalls < 1) {
            throw new IllegalArgumentException("mostCalls is " + mostCalls + ": it must be at least 1");
        }
        List<Daemon> daemons = new ArrayList<>();
        try {
            for (DaemonAddress address : addresses) {
                Transport transport = transports.open(address, sslContext, mostCalls);
                daemons.add(new Daemon(address.text(), transport, token, deadline));
            }
            Fallback fallback = fallback(daemons);
            CompletableFuture.allOf(daemons.stream().map(Daemon::greet).toArray(CompletableFuture[]::new))
                    .join();
            return new RemoteRateLimiter(daemons, deadline, fields, settles, mostCalls, fallback, listener);
        } catch (RuntimeException | Error e) {
            daemons.forEach(daemon -> daemon.close(System.nanoTime()));
            throw e;
        }
    }

    private Fallback fallback(List<Daemon> daemons) {
        if (local == null) {
            return Fallback.PASS;
        }
        try {
            return new LocalLimits(daemons, local);
        } catch (LinkageError e) {
            throw new IllegalStateException("localLimits needs io.ratelimit:ratelimit-core on the class path", e);
        }
    }
}
