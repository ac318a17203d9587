package io.ratelimit.server.command;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/** What is logged: by commands next to nothing, by a service what happens to it. */
final class Logging {

    private Logging() {}

    static void ofService() {
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
        if (LoggerFactory.getLogger("io.ratelimit") instanceof Logger ours) {
            ours.setLevel(Level.INFO);
        }
    }
}
