/** Publishing rules: nothing is stored before it was found valid, and whoever follows a service hears of it at once. */
@NullMarked
package io.ratelimit.server.publish;

import org.jspecify.annotations.NullMarked;
