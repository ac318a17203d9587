package io.ratelimit.core.report;

/**
 * What a rule decided.
 *
 * @param allowed requests that it let pass
 * @param refused requests that it refused
 * @param shadow requests that it would have refused as a shadow rule
 */
record RuleCounts(long allowed, long refused, long shadow) {

    static final RuleCounts NONE = new RuleCounts(0, 0, 0);

    RuleCounts since(RuleCounts earlier) {
        return new RuleCounts(allowed - earlier.allowed, refused - earlier.refused, shadow - earlier.shadow);
    }
}
