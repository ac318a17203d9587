package io.ratelimit.jaxrs;

import io.ratelimit.annotation.RateLimitExempt;
import io.ratelimit.annotation.RateLimited;
import io.ratelimit.rules.Rule;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the annotations of an application's resource methods say. Sub-resources are modelled anew for each request, so
 * each method is read once and then looked up. Thread-safe.
 */
final class MethodPolicies {

    private static final Logger LOG = LoggerFactory.getLogger(RateLimitFeature.class);

    private record Key(Class<?> resource, Method method) {}

    private final DeclaredRules declared;
    private final Map<Key, MethodPolicy> policies = new ConcurrentHashMap<>();
    private final Set<Class<?>> inspected = ConcurrentHashMap.newKeySet();

    /**
     * Begins without a method.
     *
     * @param declared takes the rules that annotations make
     */
    MethodPolicies(DeclaredRules declared) {
        this.declared = declared;
    }

    MethodPolicy of(Class<?> resource, Method method) {
        ResourceType type = new ResourceType(resource);
        // What a program declares as a resource has no designators, so that nothing follows from their absence.
        if (type.isResourceMethod(method) && inspected.add(resource)) {
            reportIgnored(type);
        }
        return policies.computeIfAbsent(new Key(resource, method), key -> read(resource, method));
    }

    private MethodPolicy read(Class<?> resource, Method method) {
        AnnotatedElement annotated =
                new ResourceType(resource).annotated(method).orElse(null);
        if (annotated == null) {
            return new MethodPolicy(false, List.of());
        }
        RateLimited[] limited = annotated.getDeclaredAnnotationsByType(RateLimited.class);
        if (annotated.getDeclaredAnnotation(RateLimitExempt.class) != null) {
            if (limited.length > 0) {
                LOG.warn("{} has both @RateLimited and @RateLimitExempt; it is exempt", annotated);
            }
            return MethodPolicy.EXEMPT;
        }
        return new MethodPolicy(false, operations(limited, resource, method));
    }

    /** Annotations of the same operation are one operation with several rules, at the highest of their costs. */
    private List<Operation> operations(RateLimited[] limited, Class<?> resource, Method method) {
        String place = new ResourceType(resource).simpleName() + "." + method.getName();
        Map<String, Operation> operations = new LinkedHashMap<>();
        Map<String, List<Rule>> rules = new LinkedHashMap<>();
        for (RateLimited annotation : limited) {
            String name = annotation.operation().isEmpty() ? defaultName(place) : annotation.operation();
            AnnotatedRule read = new AnnotatedRule(annotation, name, resource.getName() + "." + method.getName());
            operations.merge(name, read.operation(), (one, other) -> one.cost() >= other.cost() ? one : other);
            List<Rule> ofOperation = rules.computeIfAbsent(name, ignored -> new ArrayList<>());
            read.rule(ofOperation.isEmpty() ? name : name + "." + (ofOperation.size() + 1))
                    .ifPresent(ofOperation::add);
        }
        rules.forEach((name, made) -> declared.add(name, made, resource.getName() + "." + method.getName()));
        return List.copyOf(operations.values());
    }

    /** Java allows letters in names that names of rules do not have. */
    private static String defaultName(String place) {
        return place.replaceAll("[^A-Za-z0-9._-]", "_");
    }

    private static void reportIgnored(ResourceType type) {
        type.declaredMethods()
                .filter(ResourceType::isAnnotated)
                .filter(method -> !type.isResourceMethod(method))
                .forEach(method -> LOG.warn(
                        "The limit annotation on {} is ignored, because JAX-RS calls no such method for requests: it must"
                                + " be public and have a designator such as @GET (a sub-resource locator has none:"
                                + " annotate the methods of the sub-resource)",
                        method));
    }
}
