package io.ratelimit.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Which rules a {@link RateLimitExtension} tests. On a method it holds in place of the one on its class, on a nested class
 * in place of the one on the class around it. Without it, {@code classpath:ratelimit.yaml} is tested, which is where the
 * servlet filter looks.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface RateLimitRules {

    /**
     * Where the rules are, as in the setting {@code rules}.
     *
     * @return {@code classpath:NAME} or the path of a file, from the directory that the test runs in
     */
    String value() default "";

    /**
     * The rules themselves, in place of a location.
     *
     * @return a rules document in YAML or JSON
     */
    String yaml() default "";
}
