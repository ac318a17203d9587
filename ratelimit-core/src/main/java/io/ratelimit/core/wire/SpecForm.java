package io.ratelimit.core.wire;

import io.ratelimit.rules.Limit;
import io.ratelimit.store.BucketSpec;
import java.io.ByteArrayInputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;

/**
 * A bucket's name and limits as messages carry them: bytes that a host makes sense of only once, and knows again by
 * their content. Immutable.
 */
public final class SpecForm {

    private final byte[] bytes;
    private final int hash;

    private SpecForm(byte[] bytes) {
        this.bytes = bytes;
        this.hash = Arrays.hashCode(bytes);
    }

    /**
     * What the bytes say.
     *
     * @param name the bucket's name
     * @param version the version of the rule set
     * @param limits at least one limit
     */
    public record Content(String name, long version, List<Limit> limits) {

        /** Copies the limits. */
        public Content {
            limits = List.copyOf(limits);
        }
    }

    /**
     * Writes a name and limits.
     *
     * @param content name and limits
     * @return their form
     */
    public static SpecForm of(Content content) {
        return new SpecForm(Wire.toBytes(out -> {
            Wire.writeText(out, content.name());
            Wire.writeSigned(out, content.version());
            Wire.writeAll(out, content.limits(), limit -> WireLimit.write(out, limit));
        }));
    }

    /**
     * The form of a rule's buckets; the service is not in it.
     *
     * @param spec what the buckets are made from
     * @return their form
     */
    public static SpecForm of(BucketSpec spec) {
        return of(new Content(spec.name(), spec.version(), spec.limits()));
    }

    /**
     * Reads a form, without making sense of it.
     *
     * @param in the message
     * @return the form
     * @throws IOException if the message ends, or is damaged
     */
    public static SpecForm readFrom(DataInput in) throws IOException {
        return new SpecForm(Wire.readBytes(in));
    }

    /**
     * Writes the form as a part of a message.
     *
     * @param out the message
     * @throws IOException if it cannot be written
     */
    public void writeTo(DataOutput out) throws IOException {
        Wire.writeBytes(out, bytes);
    }

    /**
     * The bytes.
     *
     * @return not to be written to
     */
    public byte[] bytes() {
        return bytes;
    }

    /**
     * Reads a form that is known by itself.
     *
     * @param bytes as {@link #bytes} gives them; kept, and not to be written to any more
     * @return the form
     */
    public static SpecForm ofBytes(byte[] bytes) {
        return new SpecForm(bytes);
    }

    /**
     * How many bytes at the beginning tell the bucket's name: two forms are of one name if these are the same.
     *
     * @param name the name
     * @return bytes
     */
    public static int bytesOfName(String name) {
        return Wire.toBytes(out -> Wire.writeText(out, name)).length;
    }

    /**
     * Makes sense of the bytes.
     *
     * @return name and limits
     * @throws UncheckedIOException if they are of another version, or damaged
     * @throws IllegalArgumentException if there are no such limits
     */
    public Content decode() {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        try {
            String name = Wire.readText(in);
            long version = Wire.readSigned(in);
            List<Limit> limits = Wire.readAll(in, () -> WireLimit.read(in));
            return new Content(name, version, limits);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof SpecForm that && Arrays.equals(bytes, that.bytes));
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
