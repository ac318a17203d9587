/**
 * For tests of an application's own rules: a JUnit extension that gives each test an engine with fresh buckets and a clock
 * that the test moves, and assertions about decisions.
 */
@NullMarked
package io.ratelimit.junit;

import org.jspecify.annotations.NullMarked;
