package io.ratelimit.hazelcast;

import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.cluster.MembershipListener;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says how many hosts share buckets whenever that changes, and tells whoever must know. */
record MembershipNews(Consumer<MembershipEvent> onChange) implements MembershipListener {

    private static final Logger LOG = LoggerFactory.getLogger(MembershipNews.class);

    @Override
    public void memberAdded(MembershipEvent event) {
        LOG.info(
                "Member {} has joined, {} in all",
                event.getMember().getAddress(),
                event.getMembers().size());
        onChange.accept(event);
    }

    @Override
    public void memberRemoved(MembershipEvent event) {
        LOG.info(
                "Member {} has left, {} in all",
                event.getMember().getAddress(),
                event.getMembers().size());
        onChange.accept(event);
    }
}
