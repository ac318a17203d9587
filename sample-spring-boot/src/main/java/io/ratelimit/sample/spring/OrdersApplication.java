package io.ratelimit.sample.spring;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An orders API on Spring Boot. */
@SpringBootApplication
public class OrdersApplication {

    /**
     * Starts the application.
     *
     * @param args Spring's own, such as {@code --server.port=8080}
     */
    public static void main(String[] args) {
        SpringApplication.run(OrdersApplication.class, args);
    }
}
