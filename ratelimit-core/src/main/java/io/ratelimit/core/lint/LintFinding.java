package io.ratelimit.core.lint;

/**
 * Something in valid rules that is likely a mistake. Immutable and thread-safe.
 *
 * @param severity how sure it is that the rules do not do what they were written for
 * @param place where it stands, such as {@code rule 'login'}, {@code costs[2]} or {@code trustedProxies}
 * @param message one sentence that names the place, what is wrong and what would be right; on one line
 */
public record LintFinding(Severity severity, String place, String message) {

    /** How much a finding asks for. */
    public enum Severity {
        /** Something that the rules say has no effect, or harms. */
        WARNING,
        /** Something that is right if it is meant. */
        NOTE
    }

    /** The message. */
    @Override
    public String toString() {
        return message;
    }
}
