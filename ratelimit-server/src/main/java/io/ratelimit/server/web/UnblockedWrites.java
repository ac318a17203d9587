package io.ratelimit.server.web;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.IteratingCallback;
import org.jspecify.annotations.Nullable;

/**
 * Keeps no thread waiting for a client that does not read: what was written and not yet taken waits in memory, until the
 * client takes it or its connection was idle for too long. Where that memory is full, writers wait.
 */
final class UnblockedWrites extends Handler.Wrapper {

    private final long room;
    private final AtomicLong held = new AtomicLong();

    /**
     * Wraps a handler.
     *
     * @param room how much may wait, of all answers together, in bytes
     */
    UnblockedWrites(Handler handler, long room) {
        super(handler);
        this.room = room;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        Answer answer = new Answer(request, response, callback);
        return super.handle(request, answer, answer);
    }

    private boolean hold(int bytes) {
        boolean fits = held.addAndGet(bytes) <= room;
        if (!fits) {
            release(bytes);
        }
        return fits;
    }

    private void release(int bytes) {
        held.addAndGet(-bytes);
    }

    /** Whether nothing waits. */
    boolean isIdle() {
        return held.get() == 0;
    }

    /** A part of an answer, and who is told once it is sent or will never be. */
    private record Piece(boolean isLast, ByteBuffer content, Callback sent) {}

    /** An answer whose pieces are sent one after the other; it is complete once the last one is. */
    private final class Answer extends Response.Wrapper implements Callback {

        private final Callback completed;
        private final Sending sending = new Sending();

        /** This and what follows is under the monitor. */
        private final Queue<Piece> waiting = new ArrayDeque<>();

        private boolean hasLast;
        private boolean isWritten;
        private @Nullable Throwable failure;

        Answer(Request request, Response response, Callback completed) {
            super(request, response);
            this.completed = completed;
        }

        @Override
        public void write(boolean last, @Nullable ByteBuffer given, Callback written) {
            ByteBuffer content = given == null ? BufferUtil.EMPTY_BUFFER : given;
            int bytes = content.remaining();
            boolean isHeld = hold(bytes);
            Piece piece = isHeld
                    ? new Piece(last, taken(content), Callback.from(() -> release(bytes)))
                    : new Piece(last, content, written);
            Throwable failed = add(piece);
            if (failed != null) {
                piece.sent().failed(failed);
                if (isHeld) {
                    written.failed(failed);
                }
                return;
            }
            sending.iterate();
            if (isHeld) {
                written.succeeded();
            }
        }

        /** Whoever does not wait goes on to use the buffer, which is empty by then. */
        private static ByteBuffer taken(ByteBuffer content) {
            return ByteBuffer.allocate(content.remaining()).put(content).flip();
        }

        private synchronized @Nullable Throwable add(Piece piece) {
            if (failure == null) {
                hasLast |= piece.isLast();
                waiting.add(piece);
            }
            return failure;
        }

        @Override
        public synchronized boolean hasLastWrite() {
            return hasLast || super.hasLastWrite();
        }

        /** All is written, though perhaps not all is sent. */
        @Override
        public void succeeded() {
            Throwable failed = written();
            if (failed == null) {
                sending.iterate();
            } else {
                completed.failed(failed);
            }
        }

        private synchronized @Nullable Throwable written() {
            isWritten = true;
            return failure;
        }

        @Override
        public void failed(Throwable cause) {
            stop(cause);
            completed.failed(cause);
        }

        private boolean stop(Throwable cause) {
            List<Piece> unsent;
            boolean wasWritten;
            synchronized (this) {
                failure = cause;
                unsent = new ArrayList<>(waiting);
                waiting.clear();
                wasWritten = isWritten;
            }
            unsent.forEach(piece -> piece.sent().failed(cause));
            return wasWritten;
        }

        private final class Sending extends IteratingCallback {

            /** What is being sent; one call after the other sees it. */
            private @Nullable Piece current;

            @Override
            protected Action process() {
                Piece next;
                synchronized (Answer.this) {
                    next = waiting.poll();
                    if (next == null) {
                        return isWritten && failure == null ? Action.SUCCEEDED : Action.IDLE;
                    }
                }
                current = next;
                getWrapped().write(next.isLast(), next.content(), this);
                return Action.SCHEDULED;
            }

            @Override
            protected void onSuccess() {
                Piece sent = current;
                if (sent != null) {
                    current = null;
                    sent.sent().succeeded();
                }
            }

            @Override
            protected void onCompleteSuccess() {
                completed.succeeded();
            }

            @Override
            protected void onCompleteFailure(Throwable cause) {
                Piece unsent = current;
                boolean wasWritten = stop(cause);
                if (unsent != null) {
                    current = null;
                    unsent.sent().failed(cause);
                }
                // Else whoever writes still does, and is told.
                if (wasWritten) {
                    completed.failed(cause);
                }
            }
        }
    }
}
