package io.ratelimit.servlet;

class JettyEe11Test extends FilterContract {

    @Override
    WebContainer newContainer() {
        return new JettyEe11();
    }
}
