package io.ratelimit.server.access;

import com.google.common.collect.ImmutableSet;
import java.util.Locale;

/** What the bearer of a token is. */
public enum Role {
    /** A host of a service: retrieves its rules and tells how they do. */
    HOST(ImmutableSet.of(Permission.FOLLOW, Permission.REPORT)),
    /** Looks at services. */
    VIEWER(ImmutableSet.of(Permission.FOLLOW, Permission.VIEW)),
    /** Publishes rules of services. */
    EDITOR(ImmutableSet.of(Permission.FOLLOW, Permission.VIEW, Permission.PUBLISH)),
    /** Does all, to all services. */
    ADMIN(ImmutableSet.copyOf(Permission.values()));

    private final ImmutableSet<Permission> permissions;

    Role(ImmutableSet<Permission> permissions) {
        this.permissions = permissions;
    }

    /**
     * What the role may do to a service that it is given for.
     *
     * @param permission something
     * @return true if it may
     */
    public boolean may(Permission permission) {
        return permissions.contains(permission);
    }

    /**
     * The role's word in the API and on pages.
     *
     * @return such as {@code editor}
     */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Reads a role's word.
     *
     * @param word such as {@code editor}
     * @return the role
     * @throws IllegalArgumentException if it is none
     */
    public static Role of(String word) {
        for (Role role : values()) {
            if (role.word().equals(word)) {
                return role;
            }
        }
        throw new IllegalArgumentException("there is no such role: it must be host, viewer, editor or admin");
    }
}
