package io.ratelimit.benchmarks.cluster;

/**
 * What the way of sharing promises of a scenario.
 *
 * @param excess the most tokens that a client may get beyond B + R·w
 * @param idle tokens that a client may be refused though they are there
 */
record Bounds(double excess, double idle) {

    /** How long after a request all hosts know of it, in seconds: what was spent is told every 50 ms. */
    private static final double KNOWN_AFTER = 0.1;

    /** All hosts together say nothing about one in so many tokens, where that is a token or more for each. */
    private static final double SILENT_PARTS = 128;

    /** How long a fault lasts beyond itself, at most, in seconds. */
    private static final double RECOVERY = 15;

    static Bounds of(Scenario scenario) {
        double burst = scenario.limit().burst();
        double rate = scenario.limit().perSecond();
        double eachAlone = faultSeconds(scenario) == 0 ? 0 : burst + rate * (faultSeconds(scenario) + RECOVERY);
        double excess = (scenario.mostHosts() - 1) * eachAlone;
        return switch (scenario.sharing()) {
            // All hosts hold an eighth ahead of time, and the shared bucket is smaller by as much.
            case "leased" -> new Bounds(excess, burst / 4);
            // What a bucket that was full here could not take, while it was not full elsewhere; what was told late.
            case "eventual" ->
                new Bounds(
                        excess + untold(scenario, burst, rate) + silent(scenario, burst + rate * scenario.seconds()),
                        rate * KNOWN_AFTER + 2 * silent(scenario, burst));
            case "host" -> new Bounds((scenario.mostHosts() - 1) * (burst + rate * scenario.seconds()), 0);
            default -> new Bounds(excess, 0);
        };
    }

    /** What hosts let pass before they have heard of one another. */
    private static double untold(Scenario scenario, double burst, double rate) {
        int hosts = scenario.mostHosts();
        double cost = scenario.limit().cost();
        double all = 0;
        double quietest = Double.MAX_VALUE;
        for (int i = 0; i < hosts; i++) {
            double offered = scenario.rateAt(i) * cost;
            all += offered;
            quietest = Math.min(quietest, offered);
        }
        return Math.min((hosts - 1) * (burst + rate * KNOWN_AFTER), (all - quietest) * KNOWN_AFTER) + hosts * cost;
    }

    /** What hosts keep to themselves of an amount. */
    private static double silent(Scenario scenario, double amount) {
        boolean isTold = scenario.limit().burst() < SILENT_PARTS * scenario.mostHosts();
        return isTold ? 0 : amount / SILENT_PARTS;
    }

    private static double faultSeconds(Scenario scenario) {
        return scenario.events().stream()
                .filter(event -> event.action().isFault())
                .mapToDouble(event -> Math.max(1, event.seconds()))
                .sum();
    }
}
