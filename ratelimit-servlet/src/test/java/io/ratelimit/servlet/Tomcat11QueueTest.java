package io.ratelimit.servlet;

class Tomcat11QueueTest extends QueueContract {

    @Override
    WebContainer newContainer() {
        return new EmbeddedTomcat();
    }
}
