package io.ratelimit.server.access;

/** Something that a role may do to a service. */
public enum Permission {
    /** Retrieve the rules in force and hear of new ones, as hosts do. */
    FOLLOW,
    /** Tell what a host has decided. */
    REPORT,
    /** See all there is of a service: rules, history, hosts, clients. */
    VIEW,
    /** Publish rules. */
    PUBLISH,
    /** Give out tokens, see the audit log, take services out. */
    ADMINISTER
}
