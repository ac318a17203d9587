package io.ratelimit.servlet;

class StatusJettyEe11Test extends StatusServletContract {

    @Override
    WebContainer newContainer() {
        return new JettyEe11();
    }
}
