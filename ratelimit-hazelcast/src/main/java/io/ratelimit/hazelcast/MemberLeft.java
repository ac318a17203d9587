package io.ratelimit.hazelcast;

import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.cluster.MembershipListener;

/** Does something after a member has left. */
record MemberLeft(Runnable then) implements MembershipListener {

    @Override
    public void memberAdded(MembershipEvent event) {}

    @Override
    public void memberRemoved(MembershipEvent event) {
        then.run();
    }
}
