/**
 * What a shared store keeps of a client, and the steps that change it, wherever that is: all his buckets of a service in one
 * entry, under limits that travel with them. Charges are sent from
 * here too, one call for a client at a time. Stores differ in who takes the steps and by which clock.
 */
@NullMarked
package io.ratelimit.core.entry;

import org.jspecify.annotations.NullMarked;
