package io.ratelimit.server.rules;

/**
 * A version with its text.
 *
 * @param version what is known of it
 * @param text the document, YAML or JSON, as its author gave it
 */
public record PublishedRules(RulesVersion version, String text) {}
