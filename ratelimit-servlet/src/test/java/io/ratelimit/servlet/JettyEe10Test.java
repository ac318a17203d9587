package io.ratelimit.servlet;

class JettyEe10Test extends FilterContract {

    @Override
    WebContainer newContainer() {
        return new JettyEe10();
    }
}
