package io.ratelimit.server.envoy;

import io.ratelimit.server.listen.Listening;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How Envoys are answered.
 *
 * @param place where they ask
 * @param descriptors a descriptor file or a directory of them, or null where rules alone limit
 * @param chargeEveryDescriptor whether descriptors that pass are charged although another one of the request refuses
 */
public record EnvoySettings(Listening place, @Nullable Path descriptors, boolean chargeEveryDescriptor) {}
