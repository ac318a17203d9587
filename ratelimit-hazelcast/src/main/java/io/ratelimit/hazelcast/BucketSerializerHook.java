package io.ratelimit.hazelcast;

import com.hazelcast.internal.serialization.DataSerializerHook;
import com.hazelcast.nio.serialization.DataSerializableFactory;

/** Tells every Hazelcast instance that finds this jar how to read what buckets are sent as. */
public final class BucketSerializerHook implements DataSerializerHook {

    static final int FACTORY_ID = 1_382_114_924;

    static final int CLIENT_BUCKETS = 1;
    static final int CALL = 2;
    static final int ANSWER = 3;
    static final int STORE_ON_BACKUP = 4;
    static final int MERGE_POLICY = 5;
    static final int FORGOTTEN = 6;

    /** Made by Hazelcast. */
    public BucketSerializerHook() {}

    @Override
    public int getFactoryId() {
        return FACTORY_ID;
    }

    @Override
    public DataSerializableFactory createFactory() {
        return typeId -> switch (typeId) {
            case CLIENT_BUCKETS -> new ClientBuckets();
            case CALL -> new BucketProcessor();
            case ANSWER -> new BucketAnswer();
            case STORE_ON_BACKUP -> new StoreOnBackup();
            case MERGE_POLICY -> new FewerTokensMergePolicy();
            case FORGOTTEN -> new ForgottenPredicate();
            default ->
                throw new IllegalArgumentException(
                        "ratelimit-hazelcast knows no type " + typeId + ": all members need the same version of it");
        };
    }
}
