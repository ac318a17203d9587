package io.ratelimit.servlet;

class JettyEe11AnswersTest extends AnswersContract {

    @Override
    WebContainer newContainer() {
        return new JettyEe11();
    }
}
