package io.ratelimit.sample.spring;

import io.ratelimit.servlet.RateLimitFilter;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts the limiter in front of the controllers, and behind Spring Security, whose filters stand at -100. */
@Configuration(proxyBeanMethods = false)
class Limits {

    @Bean
    FilterRegistrationBean<RateLimitFilter> rateLimit() {
        RateLimitFilter filter =
                RateLimitFilter.builder().rules("classpath:ratelimit.yaml").build();
        FilterRegistrationBean<RateLimitFilter> registration = new FilterRegistrationBean<>(filter);
        registration.addUrlPatterns("/*");
        registration.setAsyncSupported(true);
        registration.setOrder(0);
        return registration;
    }
}
