/**
 * Why a request passes or not: what an engine answers when it is asked to explain a decision, and requests described in
 * words to ask about. Holds no secrets of requests; charges nothing.
 */
@NullMarked
package io.ratelimit.core.explain;

import org.jspecify.annotations.NullMarked;
