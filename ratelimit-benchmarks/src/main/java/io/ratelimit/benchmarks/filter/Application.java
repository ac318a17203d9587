package io.ratelimit.benchmarks.filter;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The same servlet behind the filter of a variant, below a path whose length does not depend on the variant. */
record Application(Variant variant) implements ServletContainerInitializer {

    private static final int LENGTH = 30;
    private static final String SERVLET_PATH = "/api/orders/4711";

    String contextPath() {
        String title = variant.title();
        return "/" + title + "-".repeat(LENGTH - title.length());
    }

    /** What to ask for. */
    String target() {
        return contextPath() + SERVLET_PATH;
    }

    @Override
    public void onStartup(@Nullable Set<Class<?>> classes, ServletContext context) {
        Optional<Filter> filter = variant.filter();
        if (filter.isPresent()) {
            FilterRegistration.Dynamic filters = context.addFilter(variant.title(), filter.get());
            filters.setInitParameters(variant.initParameters());
            filters.setAsyncSupported(true);
            filters.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), true, "/*");
        }
        ServletRegistration.Dynamic servlet = context.addServlet("answer", new AnswerServlet());
        servlet.setAsyncSupported(true);
        servlet.addMapping("/api/*");
    }
}
