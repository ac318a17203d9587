package io.ratelimit.core;

import io.ratelimit.core.report.ReportDetail;
import io.ratelimit.core.retrieve.HostName;
import io.ratelimit.core.rules.DurationGrammar;
import io.ratelimit.core.rules.StorePolicyGrammar;
import io.ratelimit.rules.StorePolicy;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The engine's settings, read from the texts that init-params and flags are.
 *
 * @param rules where the rules come from
 * @param rulesToken the bearer token for an HTTP source, or null
 * @param pollInterval how often the source is asked, or null for the source's default
 * @param push whether an HTTP source that pushes changes is listened to
 * @param reports how much an HTTP source that wants reports is told
 * @param hostName what an HTTP source is told that this host is called, or null for the machine's name
 * @param lastGoodFile where the last good rules of an HTTP source are kept, or null for the default
 * @param store the host's defaults for the use of the shared store
 * @param syncPeriod how often hosts tell one another what was spent, where they decide by themselves
 * @param maxClients the most buckets that this host keeps
 * @param metrics which meters to make in Micrometer's global registry, or null for none
 * @param logRefusals how many refusals have a line in the log in a second, at most
 */
record EngineSettings(
        String rules,
        @Nullable String rulesToken,
        @Nullable Duration pollInterval,
        boolean push,
        ReportDetail reports,
        @Nullable HostName hostName,
        @Nullable String lastGoodFile,
        StorePolicy store,
        Duration syncPeriod,
        int maxClients,
        @Nullable MetricsSetting metrics,
        int logRefusals) {

    static final String DEFAULT_RULES = "classpath:ratelimit.yaml";

    private static final int DEFAULT_MAX_CLIENTS = 1_000_000;

    /** Enough to see that there are refusals and of what kind, and 86,400 lines a day in an attack that lasts. */
    private static final int DEFAULT_LOG_REFUSALS = 1;

    private static final int MOST_LOG_REFUSALS = 10_000;

    private static final Duration DEFAULT_SYNC_PERIOD = Duration.ofMillis(50);
    private static final Duration SHORTEST_SYNC_PERIOD = Duration.ofMillis(10);

    /** Hosts that are silent for longer than that count as cut off. */
    private static final Duration LONGEST_SYNC_PERIOD = Duration.ofSeconds(1);

    private static final Set<String> NAMES = Set.of(
            "rules",
            "rulesToken",
            "pollInterval",
            "push",
            "reports",
            "hostName",
            "lastGoodFile",
            "sharing",
            "onFailure",
            "storeTimeout",
            "syncPeriod",
            "maxClients",
            "metrics",
            "logRefusals");

    static Set<String> names() {
        return new TreeSet<>(NAMES);
    }

    /**
     * Reads settings.
     *
     * @throws IllegalArgumentException if a value is not valid; the message names the setting, the value and what would
     *     be right
     */
    static EngineSettings parse(Map<String, String> settings) {
        return new EngineSettings(
                settings.getOrDefault("rules", DEFAULT_RULES),
                settings.get("rulesToken"),
                read(settings, "pollInterval", new DurationGrammar()::parse),
                push(settings),
                reports(settings),
                read(settings, "hostName", HostName::of),
                settings.get("lastGoodFile"),
                new StorePolicy(
                        read(settings, "sharing", new StorePolicyGrammar()::sharing),
                        read(settings, "onFailure", new StorePolicyGrammar()::onFailure),
                        read(settings, "storeTimeout", new StorePolicyGrammar()::timeout)),
                syncPeriod(settings),
                maxClients(settings),
                read(settings, "metrics", text -> MetricsSetting.isOn(text) ? MetricsSetting.parse(text) : null),
                logRefusals(settings));
    }

    /** Shows no token, and no location, which may hold credentials. */
    @Override
    public String toString() {
        return "EngineSettings[rulesToken=" + (rulesToken == null ? "none" : "set") + ", pollInterval=" + pollInterval
                + ", push=" + push + ", reports=" + reports + ", hostName=" + hostName + ", lastGoodFile="
                + lastGoodFile + ", store=" + store
                + ", syncPeriod="
                + syncPeriod + ", maxClients="
                + maxClients + ", metrics=" + metrics + ", logRefusals=" + logRefusals + "]";
    }

    private static boolean push(Map<String, String> settings) {
        Boolean parsed = read(settings, "push", text -> switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("it must be true or false");
        });
        return parsed == null || parsed;
    }

    private static ReportDetail reports(Map<String, String> settings) {
        ReportDetail parsed = read(settings, "reports", ReportDetail::parse);
        return parsed == null ? ReportDetail.ALL : parsed;
    }

    private static Duration syncPeriod(Map<String, String> settings) {
        Duration parsed = read(settings, "syncPeriod", text -> {
            Duration period = new DurationGrammar().parse(text);
            if (period.compareTo(SHORTEST_SYNC_PERIOD) < 0 || period.compareTo(LONGEST_SYNC_PERIOD) > 0) {
                throw new IllegalArgumentException("it must be between 10ms and 1s");
            }
            return period;
        });
        return parsed == null ? DEFAULT_SYNC_PERIOD : parsed;
    }

    private static int maxClients(Map<String, String> settings) {
        Integer parsed = read(settings, "maxClients", text -> {
            int clients = Integer.parseInt(text);
            if (clients < 1) {
                throw new IllegalArgumentException("it must be at least 1");
            }
            return clients;
        });
        return parsed == null ? DEFAULT_MAX_CLIENTS : parsed;
    }

    private static int logRefusals(Map<String, String> settings) {
        Integer parsed = read(settings, "logRefusals", text -> {
            int lines = Integer.parseInt(text);
            if (lines < 0 || lines > MOST_LOG_REFUSALS) {
                throw new IllegalArgumentException("it must be the most lines in a second, 0 to 10000");
            }
            return lines;
        });
        return parsed == null ? DEFAULT_LOG_REFUSALS : parsed;
    }

    private static <T> @Nullable T read(
            Map<String, String> settings, String name, Function<String, @Nullable T> reader) {
        String text = settings.get(name);
        if (text == null) {
            return null;
        }
        try {
            return reader.apply(text.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("setting " + name + " is '" + text + "': it must be a whole number", e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("setting " + name + " is '" + text + "': " + e.getMessage(), e);
        }
    }
}
