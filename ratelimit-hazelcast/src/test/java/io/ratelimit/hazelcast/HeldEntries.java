package io.ratelimit.hazelcast;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.impl.HazelcastInstanceProxy;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.map.impl.recordstore.RecordStore;
import com.hazelcast.map.impl.recordstore.expiry.ExpiryMetadata;
import java.util.ArrayList;
import java.util.List;

/** The entries of clients that a member holds, as owner or as backup; Hazelcast's API shows the owner's only. */
record HeldEntries(HazelcastInstance member) {

    /** When they go; of those that have expired and were not swept yet, too. To be asked while nobody spends. */
    List<ExpiryMetadata> expiries() {
        var node = ((HazelcastInstanceProxy) member).getOriginal().node;
        MapService service = node.getNodeEngine().getService(MapService.SERVICE_NAME);
        List<ExpiryMetadata> expiries = new ArrayList<>();
        for (var partition : node.getPartitionService().getPartitions()) {
            RecordStore<?> records = service.getMapServiceContext()
                    .getExistingRecordStore(partition.getPartitionId(), HazelcastBucketStore.MAP);
            if (records != null) {
                records.forEach(
                        (key, record) -> expiries.add(records.getExpirySystem().getExpiryMetadata(key)), true, true);
            }
        }
        return expiries;
    }
}
