package io.ratelimit.server.command;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/** What is logged: by commands next to nothing, by a process that stays what happens to it. */
final class Logging {

    private Logging() {}

    static void ofService() {
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
        tellWhatHappens("io.ratelimit");
    }

    /** The rules of its one engine are what the daemon is there for. */
    static void ofDaemon() {
        ofService();
        tellWhatHappens("io.ratelimit.core.retrieve");
    }

    private static void tellWhatHappens(String logger) {
        if (LoggerFactory.getLogger(logger) instanceof Logger ours) {
            ours.setLevel(Level.INFO);
        }
    }
}
