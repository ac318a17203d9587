package io.ratelimit.servlet;

import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.RateLimitEngineBuilder;
import io.ratelimit.core.SettingNames;
import io.ratelimit.core.http.AnswerExtensions;
import io.ratelimit.core.http.HttpAnswers;
import io.ratelimit.core.http.HttpEngine;
import io.ratelimit.core.http.HttpSettings;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes and starts a filter's engine from all its settings: init-params of the filter, which stand before those of the
 * servlet context that begin with {@code ratelimit.}, which stand before those of the code.
 */
final class FilterStartup {

    /**
     * What a filter begins with.
     *
     * @param http its engine, started
     * @param isLastFilter whether the deployment says that no filter behind this one matters
     */
    record Started(HttpEngine http, boolean isLastFilter) {}

    private static final Logger LOG = LoggerFactory.getLogger(RateLimitFilter.class);

    private static final String CONTEXT_PREFIX = "ratelimit.";

    private final RateLimitEngineBuilder engineBuilder;
    private final AnswerExtensions answerExtensions;
    private final Map<String, String> defaults;

    FilterStartup(
            RateLimitEngineBuilder engineBuilder, AnswerExtensions answerExtensions, Map<String, String> defaults) {
        this.engineBuilder = engineBuilder;
        this.answerExtensions = answerExtensions;
        this.defaults = Map.copyOf(defaults);
    }

    /**
     * Starts the engine.
     *
     * @return the engine; null where it cannot be made for another reason than its settings, which is reported
     * @throws ServletException if a setting is unknown or has no valid value; the message names it and says what would
     *     be right
     */
    @Nullable
    Started start(FilterConfig config) throws ServletException {
        try {
            return start(config.getServletContext(), settings(config));
        } catch (IllegalArgumentException e) {
            throw new ServletException("Filter '" + config.getFilterName() + "': " + e.getMessage(), e);
        } catch (Throwable e) {
            LOG.error("The limiter could not be started, EVERY REQUEST PASSES", e);
            return null;
        }
    }

    private Started start(ServletContext context, Map<String, String> settings) {
        engineBuilder.classLoader(context.getClassLoader());
        check(settings.keySet());
        HttpSettings httpSettings = HttpSettings.parse(settings);
        boolean isLastFilter = isTrue(settings.remove(ResumeGuard.SETTING));
        settings.keySet().removeAll(HttpSettings.NAMES);
        AnswerExtensions found = answerExtensions.withFound(context.getClassLoader());
        RateLimitEngine engine = engineBuilder.settings(settings).build();
        try {
            engine.start();
        } catch (Throwable e) {
            engine.close();
            throw e;
        }
        return new Started(
                new HttpEngine(engine, new HttpAnswers(httpSettings, engine.timeSource(), found)), isLastFilter);
    }

    private static boolean isTrue(@Nullable String value) {
        if (value == null || value.strip().equals("false")) {
            return false;
        }
        if (value.strip().equals("true")) {
            return true;
        }
        throw new IllegalArgumentException(
                "setting " + ResumeGuard.SETTING + " is '" + value + "': it must be true or false");
    }

    private void check(Set<String> given) {
        Set<String> known = new TreeSet<>(engineBuilder.settingNames());
        known.addAll(HttpSettings.NAMES);
        known.add(ResumeGuard.SETTING);
        new SettingNames(known).check(given);
    }

    private Map<String, String> settings(FilterConfig config) {
        Map<String, String> settings = new LinkedHashMap<>(defaults);
        ServletContext context = config.getServletContext();
        for (String name : Collections.list(context.getInitParameterNames())) {
            if (name.startsWith(CONTEXT_PREFIX)) {
                settings.put(name.substring(CONTEXT_PREFIX.length()), context.getInitParameter(name));
            }
        }
        for (String name : Collections.list(config.getInitParameterNames())) {
            settings.put(name, config.getInitParameter(name));
        }
        return settings;
    }
}
