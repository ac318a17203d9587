package io.ratelimit.server.access;

import io.ratelimit.server.rules.ServiceName;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A role for services.
 *
 * @param role the role
 * @param allServices whether it is for all services, those to come included
 * @param services the services where it is not for all
 */
public record Grant(Role role, boolean allServices, Set<ServiceName> services) {

    private static final String ALL = "*";

    /**
     * Copies the services.
     *
     * @throws IllegalArgumentException if the grant is for no service, or for all and for some, or an admin's is not for
     *     all
     */
    public Grant {
        services = Set.copyOf(services);
        if (allServices && !services.isEmpty()) {
            throw new IllegalArgumentException("a token is for all services or for those that are named, not both");
        }
        if (!allServices && services.isEmpty()) {
            throw new IllegalArgumentException("a token needs services that it is for: name them, or '*' for all");
        }
        if (role == Role.ADMIN && !allServices) {
            throw new IllegalArgumentException("an admin is one for all services: name '*', or give the role editor");
        }
    }

    /**
     * A role for services that are named in words.
     *
     * @param role the role
     * @param names names of services, or {@value #ALL} alone for all
     * @return the grant
     * @throws IllegalArgumentException if a name is none, or the grant is none
     */
    public static Grant of(Role role, List<String> names) {
        return names.equals(List.of(ALL))
                ? ofAll(role)
                : new Grant(role, false, names.stream().map(ServiceName::new).collect(Collectors.toSet()));
    }

    /**
     * The services by their names.
     *
     * @return the names in order, or {@value #ALL} alone for all
     */
    public List<String> serviceNames() {
        return allServices
                ? List.of(ALL)
                : services.stream().sorted().map(ServiceName::text).toList();
    }

    /**
     * A role for all services.
     *
     * @param role the role
     * @return the grant
     */
    public static Grant ofAll(Role role) {
        return new Grant(role, true, Set.of());
    }

    /**
     * A role for some services.
     *
     * @param role the role
     * @param services the services
     * @return the grant
     */
    public static Grant of(Role role, ServiceName... services) {
        return new Grant(role, false, Set.of(services));
    }

    /**
     * Whether the grant allows something.
     *
     * @param permission what
     * @param service to which service
     * @return true if it does
     */
    public boolean may(Permission permission, ServiceName service) {
        return role.may(permission) && (allServices || services.contains(service));
    }

    /**
     * Whether the grant allows something to all services.
     *
     * @param permission what
     * @return true if it does
     */
    public boolean mayEverywhere(Permission permission) {
        return allServices && role.may(permission);
    }
}
