package io.ratelimit.core.algorithm;

/**
 * What an algorithm is by its definition: a list of past charges and numbers of any size, worked out anew each time. A
 * charge of a thread whose clock lies behind counts at the time of the state that it finds.
 */
interface Definition {

    long remaining(long nanos);

    /** Spends, admitted or not, and returns the number of the charge. */
    int spend(long nanos, long cost);

    void refund(long nanos, int charge, long tokens);
}
