package io.ratelimit.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Frees a JAX-RS resource method, or every resource method of a class, from limits: {@link RateLimited} on its class
 * does not apply to it, and what a servlet filter in front had charged is given back. A request that such a filter has
 * refused never reaches the resource; use {@code exempt} in the rules file to free a path there.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface RateLimitExempt {}
