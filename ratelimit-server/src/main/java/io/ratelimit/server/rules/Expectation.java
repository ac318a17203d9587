package io.ratelimit.server.rules;

/** What an author believes to be in force, so that nobody overwrites what he has not seen. */
public sealed interface Expectation {

    /** There are no rules yet. */
    record Nothing() implements Expectation {}

    /**
     * The version with a tag is in force.
     *
     * @param tag the tag without quotes (see {@link RulesVersion#tag()})
     */
    record Tag(String tag) implements Expectation {}

    /** Whatever is in force: asked for by who wants to overwrite it. */
    record Anything() implements Expectation {}
}
