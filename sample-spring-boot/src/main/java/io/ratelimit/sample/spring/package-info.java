/**
 * A Spring Boot application that limits its API by the servlet filter.
 */
@NullMarked
package io.ratelimit.sample.spring;

import org.jspecify.annotations.NullMarked;
