package io.ratelimit.servlet;

class StatusJettyEe10Test extends StatusServletContract {

    @Override
    WebContainer newContainer() {
        return new JettyEe10();
    }
}
