package io.ratelimit.jgroups;

import java.io.DataInput;
import java.io.IOException;
import java.util.Arrays;
import org.jgroups.Address;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.TCP;

/** TCP as JGroups speaks it, with each message sealed. */
final class SealedTcp extends TCP {

    /** As long as messages are that JGroups puts together for a connection, with room. */
    static final int LONGEST = 100_000;

    /** Nobody has room made for him by a claim: as much again as has come. */
    private static final int FIRST_BYTES = 4_096;

    private final Gate gate;

    SealedTcp(Gate gate) {
        this.gate = gate;
        // Protocols are told apart by numbers, which classes of our own have not.
        setId(ClassConfigurator.getProtocolId(TCP.class));
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

    @Override
    public void receive(Address from, DataInput in, int length) throws Exception {
        if (length < 0 || length > LONGEST) {
            // The connection is closed then.
            throw new IOException("a message of " + length + " bytes from " + from + "; the longest is " + LONGEST);
        }
        byte[] data = new byte[Math.min(length, FIRST_BYTES)];
        in.readFully(data);
        for (int read = data.length; read < length; read = data.length) {
            data = Arrays.copyOf(data, Math.min(length, 2 * read));
            in.readFully(data, read, data.length - read);
        }
        receive(from, data, 0, length);
    }
}
