package io.ratelimit.jaxrs;

import com.google.common.reflect.TypeToken;
import io.ratelimit.annotation.RateLimitExempt;
import io.ratelimit.annotation.RateLimited;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A resource class with its superclasses and interfaces, on all of which annotations are looked for. */
final class ResourceType {

    private final TypeToken<?> type;
    private final List<Class<?>> lineage;

    ResourceType(Class<?> resource) {
        this.type = TypeToken.of(resource);
        TypeToken<?>.TypeSet types = type.getTypes();
        this.lineage = Stream.<Class<?>>concat(
                        types.classes().rawTypes().stream(), types.interfaces().rawTypes().stream())
                .filter(ancestor -> ancestor != Object.class)
                .toList();
    }

    /**
     * Where the annotations that hold for a method stand: on the method, else on a type; each time the class before its
     * superclasses, and these before interfaces.
     *
     * @return the place, empty where there is no annotation of ours
     */
    Optional<AnnotatedElement> annotated(Method method) {
        Stream<AnnotatedElement> places = Stream.concat(declarations(method), lineage.stream());
        return places.filter(ResourceType::isAnnotated).findFirst();
    }

    /**
     * The simple name of the class as it was written, under which people know it: that of a proxy's superclass. Generated
     * classes are marked as synthetic, or have a dollar in their name (JLS, section 3.8).
     */
    String simpleName() {
        return lineage.stream()
                .filter(ancestor -> !ancestor.isInterface() && !isGenerated(ancestor))
                .findFirst()
                .orElse(type.getRawType())
                .getSimpleName();
    }

    private static boolean isGenerated(Class<?> type) {
        return type.isSynthetic() || type.getSimpleName().indexOf('$') >= 0;
    }

    /** The methods of this type and its ancestors, as they were declared. */
    Stream<Method> declaredMethods() {
        return lineage.stream()
                .flatMap(ancestor -> Arrays.stream(ancestor.getDeclaredMethods()))
                .filter(method -> !method.isSynthetic());
    }

    /** Whether JAX-RS calls a method for requests: it is public and has a designator such as {@code @GET}. */
    boolean isResourceMethod(Method method) {
        return Modifier.isPublic(method.getModifiers())
                && declarations(method)
                        .flatMap(declaration -> Arrays.stream(declaration.getAnnotations()))
                        .map(Annotation::annotationType)
                        .anyMatch(annotation -> annotation.isAnnotationPresent(HttpMethod.class));
    }

    /** Whether an annotation of ours stands anywhere on this type, its methods, or those of its ancestors. */
    boolean hasAnnotations() {
        return Stream.concat(lineage.stream(), declaredMethods()).anyMatch(ResourceType::isAnnotated);
    }

    /** Whether JAX-RS may call this type for requests. */
    boolean isResource() {
        return lineage.stream().anyMatch(ancestor -> ancestor.isAnnotationPresent(Path.class))
                || declaredMethods().anyMatch(this::isResourceMethod);
    }

    static boolean isAnnotated(AnnotatedElement element) {
        return element.getDeclaredAnnotationsByType(RateLimited.class).length > 0
                || element.getDeclaredAnnotation(RateLimitExempt.class) != null;
    }

    /** The method and those that it overrides or implements, generic ones included. */
    private Stream<Method> declarations(Method method) {
        return declaredMethods().filter(candidate -> candidate.equals(method) || isSame(candidate, method));
    }

    private boolean isSame(Method candidate, Method method) {
        int hidden = Modifier.STATIC | Modifier.PRIVATE;
        return candidate.getName().equals(method.getName())
                && (candidate.getModifiers() & hidden) == 0
                && (method.getModifiers() & hidden) == 0
                && parameters(candidate).equals(parameters(method));
    }

    private List<? extends Class<?>> parameters(Method method) {
        return Arrays.stream(method.getGenericParameterTypes())
                .map(parameter -> type.resolveType(parameter).getRawType())
                .toList();
    }
}
