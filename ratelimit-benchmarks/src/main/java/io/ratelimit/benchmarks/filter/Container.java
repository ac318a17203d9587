package io.ratelimit.benchmarks.filter;

import java.util.Arrays;
import java.util.List;

/** The servers in which filters are measured. */
public enum Container {
    /** Jetty 12 with Jakarta EE 11. */
    JETTY("Jetty"),
    /** Tomcat 11. */
    TOMCAT("Tomcat");

    private final String title;

    Container(String title) {
        this.title = title;
    }

    /**
     * The name in the report.
     *
     * @return the name
     */
    public String title() {
        return title;
    }

    FilterServer newServer() {
        return switch (this) {
            case JETTY -> new JettyServer();
            case TOMCAT -> new TomcatServer();
        };
    }

    /**
     * What is measured in it.
     *
     * @return the variants, none of them twice
     */
    public List<Variant> variants() {
        return Arrays.stream(Variant.values())
                .filter(variant -> variant.runsOn(this))
                .toList();
    }
}
