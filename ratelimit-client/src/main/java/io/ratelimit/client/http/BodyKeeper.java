package io.ratelimit.client.http;

import jakarta.ws.rs.ext.WriterInterceptor;
import jakarta.ws.rs.ext.WriterInterceptorContext;
import java.io.IOException;
import java.io.OutputStream;

/** Keeps the body of a call as it is written, up to a bound: what it was written from may be a stream that is read once. */
final class BodyKeeper implements WriterInterceptor {

    private final int mostBytes;

    /**
     * Keeps nothing yet.
     *
     * @param mostBytes the most that is kept of a body
     */
    BodyKeeper(int mostBytes) {
        this.mostBytes = mostBytes;
    }

    @Override
    public void aroundWriteTo(WriterInterceptorContext context) throws IOException {
        if (context.getProperty(RetryFilter.CALL) instanceof RepeatedCall call) {
            OutputStream sending = context.getOutputStream();
            WrittenBody body = new WrittenBody(sending, mostBytes);
            context.setOutputStream(body);
            context.proceed();
            call.wrote(body);
        } else {
            context.proceed();
        }
    }
}
