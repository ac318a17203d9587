package io.ratelimit.benchmarks.cluster;

import io.ratelimit.Decision;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A request and its answer. All processes of a machine have the same monotonic clock.
 *
 * @param client whose
 * @param sentNanos when it was made
 * @param answeredNanos when it was answered
 * @param outcome the answer
 */
record Request(int client, long sentNanos, long answeredNanos, Outcome outcome) {

    /** What became of a request. */
    enum Outcome {
        /** It passed, and the buckets say so. */
        ADMITTED,
        /** It was refused, and the buckets say so. */
        REFUSED,
        /** It passed, and {@code onFailure} says so. */
        ADMITTED_BY_FAILURE,
        /** It was refused, and {@code onFailure} says so. */
        REFUSED_BY_FAILURE,
        /** It got no answer. */
        BROKEN;

        static Outcome of(Decision decision) {
            boolean failure = decision.reason() == Decision.Reason.FAILURE;
            if (decision.allowed()) {
                return failure ? ADMITTED_BY_FAILURE : ADMITTED;
            }
            return failure ? REFUSED_BY_FAILURE : REFUSED;
        }

        boolean passed() {
            return this == ADMITTED || this == ADMITTED_BY_FAILURE;
        }

        boolean byFailure() {
            return this == ADMITTED_BY_FAILURE || this == REFUSED_BY_FAILURE;
        }
    }

    long tookNanos() {
        return answeredNanos - sentNanos;
    }

    void writeTo(DataOutputStream out) throws IOException {
        out.writeInt(client);
        out.writeLong(sentNanos);
        out.writeLong(answeredNanos);
        out.writeUTF(outcome.name());
    }

    static List<Request> read(Path file) throws IOException {
        List<Request> requests = new ArrayList<>();
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            while (true) {
                requests.add(new Request(in.readInt(), in.readLong(), in.readLong(), Outcome.valueOf(in.readUTF())));
            }
        } catch (EOFException end) {
            return requests;
        }
    }
}
