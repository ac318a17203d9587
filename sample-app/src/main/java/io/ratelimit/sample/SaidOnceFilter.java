package io.ratelimit.sample;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Lets the first of several nodes speak, where all say the same of the rules that they share. Each node has a thread of
 * its own for them; what a thread says a second time is news again.
 */
public final class SaidOnceFilter extends Filter<ILoggingEvent> {

    private static final long TOGETHER_MILLIS = 5000;
    private static final int MOST_MESSAGES = 100;

    private final Map<String, Said> said = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Said> eldest) {
            return size() > MOST_MESSAGES;
        }
    };

    private String logger = "";

    /** Made by Logback. */
    public SaidOnceFilter() {}

    /**
     * Says what is filtered.
     *
     * @param logger the loggers' common prefix
     */
    public void setLogger(String logger) {
        this.logger = logger;
    }

    @Override
    public FilterReply decide(ILoggingEvent event) {
        return event.getLoggerName().startsWith(logger) && isRepeated(event.getFormattedMessage(), event.getTimeStamp())
                ? FilterReply.DENY
                : FilterReply.NEUTRAL;
    }

    private synchronized boolean isRepeated(String message, long now) {
        Long speaker = Thread.currentThread().getId();
        Said earlier = said.get(message);
        if (earlier != null && now - earlier.at < TOGETHER_MILLIS && earlier.speakers.add(speaker)) {
            return true;
        }
        said.put(message, new Said(now, new HashSet<>(Set.of(speaker))));
        return false;
    }

    private record Said(long at, Set<Long> speakers) {}
}
