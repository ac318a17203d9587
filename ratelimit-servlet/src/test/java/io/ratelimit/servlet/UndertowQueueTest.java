package io.ratelimit.servlet;

class UndertowQueueTest extends QueueContract {

    @Override
    WebContainer newContainer() {
        return new EmbeddedUndertow();
    }
}
