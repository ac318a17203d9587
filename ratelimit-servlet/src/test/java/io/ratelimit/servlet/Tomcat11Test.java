package io.ratelimit.servlet;

class Tomcat11Test extends FilterContract {

    @Override
    WebContainer newContainer() {
        return new Tomcat11();
    }
}
