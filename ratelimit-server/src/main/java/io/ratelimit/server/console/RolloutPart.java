package io.ratelimit.server.console;

import io.ratelimit.server.rules.RulesVersion;
import io.ratelimit.server.traffic.FleetHost;
import io.ratelimit.server.traffic.FleetHost.State;
import io.ratelimit.server.traffic.HostReport;
import io.ratelimit.server.traffic.Rollout;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How many hosts have the rules in force: a bar and a sentence, to be part of pages.
 *
 * @param version the version in force
 * @param rollout the hosts
 */
record RolloutPart(RulesVersion version, Rollout rollout) implements Page {

    /** A page that is loaded again and again stays of a size. */
    private static final int MOST_HOSTS = 500;

    private static final Pattern TAG = Pattern.compile("\"([0-9]{1,18})-[0-9a-f]{8}\"");

    @Override
    public String template() {
        return "rollout.jte";
    }

    int current() {
        return rollout.count(State.CURRENT);
    }

    int other() {
        return rollout.count(State.OTHER);
    }

    int silent() {
        return rollout.count(State.SILENT);
    }

    int all() {
        return rollout.hosts().size();
    }

    /** Such as {@code 3 of 4 hosts have version 18; 1 has another}. */
    String sentence() {
        if (all() == 0) {
            return "No host has asked for these rules in the last 15 minutes.";
        }
        String begin = current() == all()
                ? (all() == 1 ? "The only host has" : "All " + Counted.of(all(), "host") + " have")
                : Counted.number(current()) + " of " + Counted.of(all(), "host") + (current() == 1 ? " has" : " have");
        return begin + " version " + version.number()
                + (other() == 0 ? "" : "; " + Counted.number(other()) + (other() == 1 ? " has" : " have") + " another")
                + (silent() == 0
                        ? ""
                        : "; " + Counted.number(silent()) + (silent() == 1 ? " is" : " are") + " not heard of")
                + ".";
    }

    /** The hosts, first those that somebody should look at. */
    List<FleetHost> hosts() {
        return rollout.hosts().stream()
                .sorted(Comparator.comparing(RolloutPart::isFine).thenComparing(FleetHost::name))
                .limit(MOST_HOSTS)
                .toList();
    }

    int hostsLeftOut() {
        return Math.max(0, all() - MOST_HOSTS);
    }

    private static boolean isFine(FleetHost host) {
        return host.state() == State.CURRENT && trouble(host) == null;
    }

    /** Which version a host has, by its tag. */
    static String versionOf(FleetHost host) {
        String tag = host.tag();
        if (tag == null) {
            return "none";
        }
        Matcher known = TAG.matcher(tag);
        return known.matches() ? known.group(1) : tag;
    }

    /** What a host does, in a word or two beside its version. */
    static String stateOf(FleetHost host) {
        return switch (host.state()) {
            case CURRENT -> "in force";
            case OTHER -> "another";
            case SILENT -> "not heard of";
        };
    }

    /** What is wrong with a host, or null. */
    static @Nullable String trouble(FleetHost host) {
        String error = host.error();
        if (error != null && !error.isBlank()) {
            return error;
        }
        if (host.origin() == HostReport.Origin.LAST_GOOD_FILE) {
            return "It has the rules that it kept in a file, since it could not reach this service when it started.";
        }
        return host.origin() == HostReport.Origin.NONE ? "It has no rules: every request passes." : null;
    }
}
