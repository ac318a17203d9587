package io.ratelimit.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.ByteArrayCodec;
import io.ratelimit.core.bucket.OwnerBreaker;
import java.util.concurrent.CompletionStage;

/** A single server, or the one that Sentinel says is the master. */
final class OneMaster implements RedisNodes {

    private final RedisResources resources;
    private final RedisClient client;
    private final RedisURI uri;
    private final String name;
    private final OwnerBreaker breaker = new OwnerBreaker();

    OneMaster(RedisLocation location, RedisResources resources) {
        this.resources = resources;
        this.uri = location.uris().get(0);
        this.client = RedisClient.create(resources.asLettuceHasThem());
        this.name = "Redis at " + location;
        client.setOptions(RedisNodes.once(ClientOptions.builder()).build());
    }

    @Override
    public CompletionStage<Opened> connect() {
        return client.connectAsync(ByteArrayCodec.INSTANCE, uri)
                .thenApply(connection -> new Opened(connection, connection.async()));
    }

    @Override
    public void execute(Runnable work) {
        resources.execute(work);
    }

    @Override
    public void retire(Opened old) {
        resources.retire(old.connection());
    }

    @Override
    public OwnerBreaker breakerOf(byte[] key) {
        return breaker;
    }

    @Override
    public String nameOf(byte[] key) {
        return name;
    }

    @Override
    public void close() {
        resources.close(client);
    }
}
