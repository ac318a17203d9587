package io.ratelimit.servlet;

class JettyEe10QueueTest extends QueueContract {

    @Override
    WebContainer newContainer() {
        return new JettyEe10();
    }
}
