package io.ratelimit.server.console;

/**
 * The fields that most rules need, as they are typed: lists one a line.
 *
 * @param name the rule's name
 * @param path patterns of the path
 * @param methods methods, with commas or blanks between them
 * @param operation names of operations
 * @param key {@code client}, {@code user}, {@code ip}, {@code bearer}, {@code service}, {@code header}; {@code other} for
 *     a key that the form does not know and keeps
 * @param header the name of the header for the key {@code header}
 * @param limits the limits
 * @param exceeded {@code reject}, {@code shadow}, {@code drop} or {@code queue}
 * @param status the status of a refusal; empty for 429
 * @param places how many may wait in the queue
 * @param maxWait how long one may wait in the queue
 */
record RuleForm(
        String name,
        String path,
        String methods,
        String operation,
        String key,
        String header,
        String limits,
        String exceeded,
        String status,
        String places,
        String maxWait) {

    /** What a new rule's form begins with. */
    static final RuleForm NEW =
            new RuleForm("", "/api/**", "", "", "client", "", "20/s burst 40", "reject", "", "", "");
}
