package io.ratelimit.junit;

import io.ratelimit.core.retrieve.RulesSourceSettings;
import io.ratelimit.core.retrieve.RulesSources;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.RulesSource;
import java.io.IOException;
import java.lang.reflect.AnnotatedElement;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Finds and reads the rules that a test names. */
final class RulesOfTest {

    private static final String DEFAULT = "classpath:ratelimit.yaml";

    private final ExtensionContext test;

    RulesOfTest(ExtensionContext test) {
        this.test = test;
    }

    /**
     * The document with the rules.
     *
     * @throws ExtensionConfigurationException if the test names none, or they cannot be read
     */
    RulesDocument read() {
        RateLimitRules named = nearest().orElse(null);
        if (named == null) {
            return located(DEFAULT);
        }
        if (named.yaml().isEmpty() == named.value().isEmpty()) {
            throw new ExtensionConfigurationException(
                    "@RateLimitRules needs either a location, such as \"" + DEFAULT + "\", or yaml = \"…\"");
        }
        return named.yaml().isEmpty() ? located(named.value()) : written(named.yaml());
    }

    /** That of the method, of its class, of the classes around it. */
    private Optional<RateLimitRules> nearest() {
        Optional<ExtensionContext> place = Optional.of(test);
        while (place.isPresent()) {
            Optional<AnnotatedElement> element = place.get().getElement();
            Optional<RateLimitRules> found = AnnotationSupport.findAnnotation(element, RateLimitRules.class);
            if (found.isPresent()) {
                return found;
            }
            place = place.get().getParent();
        }
        return Optional.empty();
    }

    private static RulesDocument written(String text) {
        return new RulesDocument("@RateLimitRules", text.getBytes(StandardCharsets.UTF_8), "text", 1);
    }

    private static RulesDocument located(String location) {
        RulesSourceSettings settings =
                RulesSourceSettings.of(Thread.currentThread().getContextClassLoader());
        try (RulesSource source = RulesSources.of(location, settings)) {
            return source.retrieve(null)
                    .orElseThrow(() -> new ExtensionConfigurationException(location + " holds no rules"));
        } catch (IOException | IllegalArgumentException e) {
            throw new ExtensionConfigurationException("The rules of the test: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ExtensionConfigurationException("Interrupted while the rules were read from " + location, e);
        }
    }
}
