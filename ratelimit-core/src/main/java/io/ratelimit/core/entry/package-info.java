/**
 * What a shared store keeps of a client, and the steps that change it, wherever that is: all his buckets of a service in one
 * entry, under limits that travel with them. Stores differ in who takes the steps and by which clock.
 */
@NullMarked
package io.ratelimit.core.entry;

import org.jspecify.annotations.NullMarked;
