package io.ratelimit.client;

import org.jspecify.annotations.Nullable;

/**
 * What a daemon has answered.
 *
 * @param status the HTTP status
 * @param etag what the answer's content is recognised by, or null
 * @param body the body as text in UTF-8
 */
record Reply(int status, @Nullable String etag, String body) {}
