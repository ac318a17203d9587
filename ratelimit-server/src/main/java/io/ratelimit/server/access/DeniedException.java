package io.ratelimit.server.access;

/** The caller is known, and may not do what was asked for. */
public final class DeniedException extends Exception {

    private static final long serialVersionUID = 1L;

    DeniedException(Caller caller, Permission permission) {
        super("the token '" + caller.getName() + "' is a "
                + caller.token().grant().role().word() + "'s"
                + (caller.token().grant().role().may(permission)
                        ? ", but not for this service"
                        : ", which may not do this")
                + ": an admin can give out another");
    }
}
