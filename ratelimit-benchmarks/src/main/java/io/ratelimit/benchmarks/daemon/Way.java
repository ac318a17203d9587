package io.ratelimit.benchmarks.daemon;

/** How a decision is asked for. */
enum Way {
    /** In the process that asks. */
    LIBRARY("the library"),
    /** Java's HTTP client, one connection. */
    JDK("daemon, HTTP on loopback, the JDK's client"),
    /** Jetty's HTTP client, one connection. */
    JETTY("daemon, HTTP on loopback, Jetty's client"),
    /** Jetty's HTTP client, one connection. */
    UNIX("daemon, HTTP on a Unix domain socket, Jetty's client"),
    /** Envoy's rate limit service. */
    GRPC("daemon, gRPC on loopback");

    private final String title;

    Way(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }
}
