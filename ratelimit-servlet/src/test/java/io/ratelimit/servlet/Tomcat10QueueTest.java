package io.ratelimit.servlet;

class Tomcat10QueueTest extends QueueContract {

    @Override
    WebContainer newContainer() {
        return new EmbeddedTomcat();
    }
}
