package io.ratelimit.servlet;

import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

@EnabledIfSystemProperty(named = "jakarta.ee", matches = "11")
class Tomcat11AnswersTest extends AnswersContract {

    @Override
    WebContainer newContainer() {
        return new EmbeddedTomcat();
    }
}
