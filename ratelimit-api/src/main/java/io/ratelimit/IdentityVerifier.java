package io.ratelimit;

import io.ratelimit.rules.Identity;

/**
 * Says whether an identity that a client claims is real, such as an API key that the application has given out. An
 * identity that is not counts as missing, so that an invented one is no fresh bucket: {@code clients} goes on to the next
 * identity, and a rule whose {@code key} needs it does not apply. Only what anybody can write into a request is verified:
 * identities of the kinds {@code header}, {@code cookie} and {@code bearer}. Found by {@link java.util.ServiceLoader},
 * which needs a public constructor without parameters, or handed to the engine's builder.
 *
 * <p>Called on the deciding thread, so an implementation must be thread-safe and quick: it looks into a table of the
 * application, say, and calls no other service. The limiter logs neither values nor the messages of what is thrown.
 */
public interface IdentityVerifier {

    /**
     * Whether this verifier knows all real values of an identity. Asked when rules are put in force, once for each key
     * in which the identity stands.
     *
     * @param identity the identity, such as {@code header:X-Api-Key}; a header's name as the rules file spells it, in
     *     any letter case
     * @return true if {@link #verify} is to decide on its values; what is thrown counts as true, because nobody can rely
     *     on the identity then
     */
    boolean vouchesFor(Identity identity);

    /**
     * Whether a value is real. Asked only for an identity that this verifier vouches for, and once for each rule that
     * tells the request's client apart by it. Where several verifiers vouch for an identity, the word of one is enough.
     *
     * @param identity the identity
     * @param value what the client claims, not blank; a secret, mostly
     * @param request the request
     * @return true if the value is real; what is thrown counts as false and is reported once for each verifier
     */
    boolean verify(Identity identity, String value, RequestContext request);
}
