package io.ratelimit.client.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;

/** Keeps what is written, up to a bound, and passes it on. */
final class WrittenBody extends OutputStream {

    private final OutputStream sending;
    private final int mostBytes;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private boolean isTooLarge;

    WrittenBody(OutputStream sending, int mostBytes) {
        this.sending = sending;
        this.mostBytes = mostBytes;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        isTooLarge |= length > mostBytes - kept.size();
        if (isTooLarge) {
            kept.reset();
        } else {
            kept.write(bytes, offset, length);
        }
        sending.write(bytes, offset, length);
    }

    @Override
    public void flush() throws IOException {
        sending.flush();
    }

    @Override
    public void close() throws IOException {
        sending.close();
    }

    /** All that was written, or nothing where it was too much. */
    Optional<byte[]> whole() {
        return isTooLarge ? Optional.empty() : Optional.of(kept.toByteArray());
    }
}
