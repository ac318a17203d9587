package io.ratelimit.server.access;

/** The caller is known, and may not do what was asked for. */
public final class DeniedException extends Exception {

    private static final long serialVersionUID = 1L;

    DeniedException(Caller caller, Permission permission) {
        super("the token '" + caller.getName() + "' is "
                + withArticle(caller.token().grant().role()) + "'s"
                + (caller.token().grant().role().may(permission)
                        ? ", but not for this service"
                        : ", which may not do this")
                + ": an admin can give out another");
    }

    private static String withArticle(Role role) {
        boolean beginsWithVowel = "aeiou".indexOf(role.word().charAt(0)) >= 0;
        return (beginsWithVowel ? "an " : "a ") + role.word();
    }
}
