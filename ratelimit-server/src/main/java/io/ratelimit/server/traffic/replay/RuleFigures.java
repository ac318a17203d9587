package io.ratelimit.server.traffic.replay;

/**
 * What one rule made of the requests that it applies to. A request that this rule admits and another one refuses is none of
 * the figures.
 *
 * @param basis how much of what fills the rule's buckets was recorded
 * @param requests how many requests the rule applies to
 * @param figures what became of them; those that are refused are refused by this rule, alone or with others
 */
public record RuleFigures(Basis basis, Estimate requests, Figures figures) {}
