package io.ratelimit.jgroups;

import org.jgroups.Address;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.UDP;

/** UDP as JGroups speaks it, with each message sealed. */
final class SealedUdp extends UDP {

    private final Gate gate;

    SealedUdp(Gate gate) {
        this.gate = gate;
        // Protocols are told apart by numbers, which classes of our own have not.
        setId(ClassConfigurator.getProtocolId(UDP.class));
    }

    @Override
    public void doSend(byte[] data, int offset, int length, Address to) throws Exception {
        byte[] sealed = gate.seal(data, offset, length);
        super.doSend(sealed, 0, sealed.length, to);
    }

    @Override
    public void receive(Address from, byte[] data, int offset, int length) {
        byte[] opened = gate.open(from, data, offset, length);
        if (opened != null) {
            super.receive(from, opened, 0, opened.length);
        }
    }
}
