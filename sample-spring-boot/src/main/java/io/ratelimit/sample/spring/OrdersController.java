package io.ratelimit.sample.spring;

import java.util.concurrent.Callable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Answers at once, and from another thread. */
@RestController
class OrdersController {

    @GetMapping("/api/orders")
    String orders() {
        return "orders";
    }

    @GetMapping("/api/reports")
    Callable<String> reports() {
        return () -> "reports";
    }

    @GetMapping("/health")
    String health() {
        return "up";
    }
}
