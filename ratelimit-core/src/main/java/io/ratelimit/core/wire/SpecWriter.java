package io.ratelimit.core.wire;

import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Writes each spec of a message once; later ones only say which it was. Not thread-safe. */
public final class SpecWriter {

    private final DataOutput out;
    private final List<SpecForm> written = new ArrayList<>(2);

    /**
     * Begins a message.
     *
     * @param out the message
     */
    public SpecWriter(DataOutput out) {
        this.out = out;
    }

    /**
     * Whether a spec was written already, so that it takes hardly any room.
     *
     * @param spec the spec
     * @return true if it was
     */
    public boolean hasWritten(SpecForm spec) {
        return written.contains(spec);
    }

    /**
     * Writes a spec, or which it was.
     *
     * @param spec the spec
     * @throws IOException if it cannot be written
     */
    public void write(SpecForm spec) throws IOException {
        int place = written.indexOf(spec);
        Wire.writeUnsigned(out, place + 1);
        if (place < 0) {
            spec.writeTo(out);
            written.add(spec);
        }
    }
}
