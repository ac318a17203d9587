package io.ratelimit.servlet;

class JettyEe10AnswersTest extends AnswersContract {

    @Override
    WebContainer newContainer() {
        return new JettyEe10();
    }
}
