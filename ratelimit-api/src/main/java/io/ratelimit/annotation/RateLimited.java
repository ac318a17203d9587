package io.ratelimit.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Limits a JAX-RS resource method, or every resource method of a class: each by itself, or all together where the annotation
 * names an {@link #operation}.
 *
 * <p>An annotation on the method wins over one on its class; both are found on interfaces and superclasses too. Rules
 * of the rules file that name the same operation replace the limits written here.
 *
 * <pre>{@code
 * @GET
 * @RateLimited(operation = "export", cost = 5, limits = "3/m")
 * public Export export() { ... }
 * }</pre>
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
@Repeatable(RateLimited.List.class)
public @interface RateLimited {

    /**
     * The operation's name, which rules match by {@code match: { operation: … }}.
     *
     * @return the name; empty stands for {@code SimpleClassName.method}
     */
    String operation() default "";

    /**
     * What a request costs. Replaces the costs of the rules file.
     *
     * @return tokens, at least 0; -1 leaves the cost to the rules file
     */
    long cost() default -1;

    /**
     * The limits of this operation, in the rules file's spelling, such as {@code "20/s burst 40"}. All must hold.
     *
     * @return the limits; empty leaves them to the rules file
     */
    String[] limits() default {};

    /**
     * What shares a bucket, in the rules file's spelling: {@code "user"}, {@code "header:X-Api-Key"}, {@code "ip"},
     * {@code "service"}; several are a composite.
     *
     * @return the identities; empty is the client as the rules file's {@code clients} finds it
     */
    String[] key() default {};

    /** Holds the annotations of a place that has several. */
    @Documented
    @Inherited
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.METHOD, ElementType.TYPE})
    @interface List {

        /**
         * The annotations.
         *
         * @return at least two
         */
        RateLimited[] value();
    }
}
