package io.ratelimit.server.access;

/** The caller is known, and may not do what was asked for. */
public final class DeniedException extends Exception {

    private static final long serialVersionUID = 1L;

    /** Of a caller who may not do something to what is meant by {@code where}, such as "this service". */
    DeniedException(Caller caller, Permission permission, String where) {
        super("the token '" + caller.getName() + "' is "
                + bearer(caller.token().grant().role())
                + (caller.token().grant().role().may(permission) ? ", but not for " + where : ", which may not do this")
                + ": an admin can give out another");
    }

    private static String bearer(Role role) {
        return (role == Role.HOST || role == Role.VIEWER ? "a " : "an ") + role.word() + "'s";
    }
}
