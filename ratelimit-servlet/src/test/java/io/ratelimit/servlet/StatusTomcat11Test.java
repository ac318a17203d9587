package io.ratelimit.servlet;

class StatusTomcat11Test extends StatusServletContract {

    @Override
    WebContainer newContainer() {
        return new EmbeddedTomcat();
    }
}
