/**
 * What a servlet filter costs a server: processor time of a server of its own over a number of requests, with our
 * filter, with those of the containers, and with none.
 */
@NullMarked
package io.ratelimit.benchmarks.filter;

import org.jspecify.annotations.NullMarked;
