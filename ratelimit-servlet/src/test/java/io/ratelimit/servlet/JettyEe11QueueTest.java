package io.ratelimit.servlet;

class JettyEe11QueueTest extends QueueContract {

    @Override
    WebContainer newContainer() {
        return new JettyEe11();
    }
}
