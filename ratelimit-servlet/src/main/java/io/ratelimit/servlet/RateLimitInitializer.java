package io.ratelimit.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers a {@link RateLimitFilter} for all paths of an application that has {@code ratelimit.yaml} on its class path
 * and declares no such filter itself. The filter comes before those that the application declares, so that they are
 * protected too; an application that wants another order declares the filter in {@code web.xml}.
 */
public final class RateLimitInitializer implements ServletContainerInitializer {

    private static final Logger LOG = LoggerFactory.getLogger(RateLimitInitializer.class);

    private static final String RULES = "ratelimit.yaml";
    /** Stands back where the application declares a filter of its own. */
    static final String FILTER_NAME = RateLimitInitializer.class.getName();

    /** Made by the container. */
    public RateLimitInitializer() {}

    /**
     * Registers the filter.
     *
     * @param classes not used; some containers pass null
     * @param context the application
     */
    @Override
    public void onStartup(@Nullable Set<Class<?>> classes, ServletContext context) {
        try {
            if (isDeclared(context.getFilterRegistrations().values())
                    || context.getClassLoader().getResource(RULES) == null) {
                return;
            }
            register(context);
        } catch (RuntimeException | LinkageError e) {
            LOG.error("The rate limit filter could not be registered, EVERY REQUEST PASSES", e);
        }
    }

    private static void register(ServletContext context) {
        FilterRegistration.Dynamic filter = context.addFilter(FILTER_NAME, new RateLimitFilter());
        if (filter == null) {
            return;
        }
        filter.setAsyncSupported(true);
        filter.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/*");
        LOG.info("Found {} on the class path: the rate limit filter is registered for all paths", RULES);
    }

    /** Whether a filter is the one registered here and the application declared its own after that. */
    static boolean isSuperseded(FilterConfig config) {
        if (!FILTER_NAME.equals(config.getFilterName())) {
            return false;
        }
        return isDeclared(config.getServletContext().getFilterRegistrations().values().stream()
                .filter(registration -> !registration.getName().equals(FILTER_NAME))
                .toList());
    }

    private static boolean isDeclared(Collection<? extends FilterRegistration> registrations) {
        return registrations.stream()
                .anyMatch(registration -> RateLimitFilter.class.getName().equals(registration.getClassName()));
    }
}
