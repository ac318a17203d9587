package io.ratelimit.hazelcast;

/** The form of all messages between members. */
final class Form {

    static final byte CURRENT = 3;

    private Form() {}
}
