package io.ratelimit.server.traffic;

/** Memory that all services share: whoever finds none left does with what it has. In bytes, estimated. Thread-safe. */
final class SharedMemory {

    private long left;

    SharedMemory(long bytes) {
        this.left = bytes;
    }

    synchronized boolean take(long bytes) {
        boolean isEnough = bytes <= left;
        if (isEnough) {
            left -= bytes;
        }
        return isEnough;
    }

    /** For what there must be. */
    synchronized void takeAnyway(long bytes) {
        left -= bytes;
    }

    synchronized void giveBack(long bytes) {
        left += bytes;
    }
}
