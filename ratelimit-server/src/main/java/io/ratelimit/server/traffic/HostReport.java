package io.ratelimit.server.traffic;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What one host tells of itself and of the requests that it has decided since its last report. Hosts are no more to be
 * trusted than what they tell: texts may hold anything and are to be escaped where they are shown. Immutable.
 *
 * @param host the host's name and instance, such as {@code app-3/9f12ab34}; visible ASCII
 * @param tag the tag of the rules that are in force there, or null
 * @param origin where these rules came from
 * @param since since when they are in force, in milliseconds since the epoch, or null
 * @param error why the host has not taken over other rules, or null; cut to {@link #LONGEST_ERROR}
 * @param from when the time begins that is told of, in milliseconds since the epoch by the host's clock
 * @param to when it ends and the report is sent
 * @param rules what rules have decided, those only that have decided something
 * @param refusedClients the clients that were refused most
 * @param share which share of the clients has its requests recorded, 0 to 1
 * @param requests requests of these clients, in the order of their time
 */
public record HostReport(
        String host,
        @Nullable String tag,
        Origin origin,
        @Nullable Long since,
        @Nullable String error,
        long from,
        long to,
        List<RuleCounts> rules,
        List<RefusedClient> refusedClients,
        double share,
        List<RecordedRequest> requests) {

    /** How long the text of an error may be. */
    public static final int LONGEST_ERROR = 1_000;

    /** A host's clock is taken for right while it is off by less: so much a report may take to arrive. */
    private static final long TRUSTED_MILLIS = 5_000;

    static final int LONGEST_NAME = 200;
    private static final int MOST_RULES = 20_000;
    private static final int MOST_CLIENTS = 1_000;
    private static final int MOST_REQUESTS = 50_000;
    private static final Pattern HOST = Pattern.compile("[!-~]{1," + LONGEST_NAME + "}");

    /** Where a host's rules came from. */
    public enum Origin {
        /** The host has no rules: every request passes. */
        NONE,
        /** The rules service, or another source. */
        SOURCE,
        /** The file with the last good rules, since the source could not be asked. */
        LAST_GOOD_FILE
    }

    /**
     * What a rule has decided.
     *
     * @param rule the rule's name
     * @param allowed how many requests it let pass, at least 0
     * @param refused how many it refused
     * @param shadow how many it would have refused as a shadow rule
     */
    public record RuleCounts(String rule, long allowed, long refused, long shadow) {

        /**
         * Checks the ranges.
         *
         * @throws IllegalArgumentException if a component is out of its range
         */
        public RuleCounts {
            Checks.present("rule", rule);
            Checks.length("rule", rule, LONGEST_NAME);
            Checks.range("allowed", allowed, 0, Checks.MOST_COUNTED);
            Checks.range("refused", refused, 0, Checks.MOST_COUNTED);
            Checks.range("shadow", shadow, 0, Checks.MOST_COUNTED);
        }
    }

    /**
     * How often a rule has refused a client.
     *
     * @param rule the rule's name
     * @param client the client, such as {@code user=alice} or {@code header:X-Api-Key=#2bd806c9}; cut to
     *     {@link RecordedRequest#LONGEST_TEXT}
     * @param refused how often, at least 0
     */
    public record RefusedClient(String rule, String client, long refused) {

        /**
         * Cuts the client's name and checks the others.
         *
         * @throws IllegalArgumentException if a component is out of its range
         */
        public RefusedClient {
            Checks.present("rule", rule);
            Checks.length("rule", rule, LONGEST_NAME);
            Checks.present("client", client);
            client = Checks.cut(client, RecordedRequest.LONGEST_TEXT);
            Checks.range("refused", refused, 0, Checks.MOST_COUNTED);
        }
    }

    /**
     * Checks the ranges and copies the lists.
     *
     * @throws IllegalArgumentException if a component is out of its range; the message names it
     */
    public HostReport {
        checkHost(host);
        Checks.length("tag", tag, LONGEST_NAME);
        Checks.present("origin", origin);
        Checks.range("since", since, 1, Checks.LATEST);
        error = error == null ? null : Checks.cut(error, LONGEST_ERROR);
        Checks.time("from", from);
        Checks.time("to", to);
        if (from > to) {
            throw new IllegalArgumentException("from is " + from + ": it must not be later than to, which is " + to);
        }
        Checks.size("rules", rules, MOST_RULES);
        Checks.size("refusedClients", refusedClients, MOST_CLIENTS);
        Checks.size("requests", requests, MOST_REQUESTS);
        if (!(share >= 0 && share <= 1) || (share == 0 && !requests.isEmpty())) {
            throw new IllegalArgumentException(
                    "share is " + share + ": it must be between 0 and 1, and not 0 where requests are recorded");
        }
        rules = List.copyOf(rules);
        refusedClients = List.copyOf(refusedClients);
        requests = List.copyOf(requests);
    }

    /** Refuses a name that could not be told in a header. */
    static void checkHost(@Nullable String host) {
        Checks.present("host", host);
        Checks.length("host", host, LONGEST_NAME);
        if (host != null && !HOST.matcher(host).matches()) {
            throw new IllegalArgumentException("host must be 1 to " + LONGEST_NAME + " visible ASCII characters");
        }
    }

    /**
     * The same report with times by the clock of whoever received it: a host's clock that is off by more than the report
     * can have been on its way is put right by the difference between its arrival and {@code to}.
     *
     * @param arrivalMillis when it arrived, in milliseconds since the epoch
     * @return the report
     */
    public HostReport inTimeOf(long arrivalMillis) {
        long off = arrivalMillis - to;
        if (Math.abs(off) <= TRUSTED_MILLIS) {
            return this;
        }
        return new HostReport(
                host,
                tag,
                origin,
                since == null ? null : moved(since, off),
                error,
                moved(from, off),
                moved(to, off),
                rules,
                refusedClients,
                share,
                requests.stream()
                        .map(request -> request.at(moved(request.at(), off)))
                        .toList());
    }

    private static long moved(long millis, long off) {
        return Math.max(1, Math.min(Checks.LATEST, millis + off));
    }
}
