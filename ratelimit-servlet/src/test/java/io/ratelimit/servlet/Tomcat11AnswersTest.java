package io.ratelimit.servlet;

class Tomcat11AnswersTest extends AnswersContract {

    @Override
    WebContainer newContainer() {
        return new EmbeddedTomcat();
    }
}
