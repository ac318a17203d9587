package io.ratelimit.core.wire;

import java.io.DataInput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads what a {@link SpecWriter} has written. Not thread-safe. */
public final class SpecReader {

    private final DataInput in;
    private final List<SpecForm> read = new ArrayList<>(2);

    /**
     * Begins a message.
     *
     * @param in the message
     */
    public SpecReader(DataInput in) {
        this.in = in;
    }

    /**
     * Reads the next spec.
     *
     * @return the spec
     * @throws IOException if the message ends, or is damaged
     */
    public SpecForm read() throws IOException {
        int place = Wire.readCount(in);
        if (place > read.size()) {
            throw new IOException("a message of another host is damaged: it has no limits number " + place);
        }
        if (place > 0) {
            return read.get(place - 1);
        }
        SpecForm spec = SpecForm.readFrom(in);
        read.add(spec);
        return spec;
    }
}
