package io.ratelimit.servlet;

import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

@EnabledIfSystemProperty(named = "jakarta.ee", matches = "10")
class Tomcat10AnswersTest extends AnswersContract {

    @Override
    WebContainer newContainer() {
        return new EmbeddedTomcat();
    }
}
