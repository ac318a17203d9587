package io.ratelimit.junit;

import io.ratelimit.RateLimiter;
import io.ratelimit.TimeSource;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.RateLimitEngineBuilder;
import io.ratelimit.core.TokenBucketRateLimiter;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives each test an engine of its own, with the rules of {@link RateLimitRules}, full buckets and a clock that stands
 * still until the test moves it; closed after the test.
 *
 * <pre>{@code
 * @ExtendWith(RateLimitExtension.class)
 * @RateLimitRules("classpath:ratelimit.yaml")
 * class OrdersRulesTest {
 *
 *     @Test
 *     void whoIsRefusedMayRetryAfterTheWait(RulesUnderTest rules, ManualTimeSource clock) {
 *         assertEquals(40, rules.allowedOf(50, "GET /api/orders user=alice"));
 *         clock.advance(Duration.ofMillis(50));
 *         rules.request("GET /api/orders user=alice").isAllowed();
 *     }
 * }
 * }</pre>
 *
 * <p>Parameters of test methods, {@code @BeforeEach} and {@code @AfterEach} methods are resolved, if they are a
 * {@link RulesUnderTest}, {@link ManualTimeSource}, {@link TimeSource}, {@link RateLimitEngine}, {@link RateLimiter} or
 * {@link TokenBucketRateLimiter}. Rules that an application would refuse fail the test with all their problems. Tests may
 * run in parallel. Thread-safe.
 */
public final class RateLimitExtension implements BeforeEachCallback, AfterEachCallback, ParameterResolver {

    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(RateLimitExtension.class);

    private static final Map<Class<?>, Function<TestedEngine, Object>> PARAMETERS = Map.of(
            RulesUnderTest.class,
            tested -> new RulesUnderTest(tested.engine()),
            ManualTimeSource.class,
            TestedEngine::clock,
            TimeSource.class,
            TestedEngine::clock,
            RateLimitEngine.class,
            TestedEngine::engine,
            RateLimiter.class,
            tested -> tested.engine().limiter(),
            TokenBucketRateLimiter.class,
            tested -> tested.engine().limiter());

    private final UnaryOperator<RateLimitEngineBuilder> more;

    /** Tests rules with what an engine is by itself, extensions on the class path included. */
    public RateLimitExtension() {
        this(UnaryOperator.identity());
    }

    private RateLimitExtension(UnaryOperator<RateLimitEngineBuilder> more) {
        this.more = more;
    }

    /**
     * Tests rules on an engine that the test completes, for instance with resolvers of attributes and costs; for a field
     * with {@code @RegisterExtension}.
     *
     * @param more adds to the engine of each test; what it says of rules and clocks is replaced
     * @return the extension
     */
    public static RateLimitExtension with(UnaryOperator<RateLimitEngineBuilder> more) {
        return new RateLimitExtension(Objects.requireNonNull(more, "more"));
    }

    /**
     * Starts the engine of a test.
     *
     * @throws ExtensionConfigurationException if the rules cannot be found or are refused
     */
    @Override
    public void beforeEach(ExtensionContext test) {
        RateLimitEngineBuilder builder = more.apply(RateLimitEngine.builder());
        test.getStore(NAMESPACE).put(TestedEngine.class, TestedEngine.start(builder, new RulesOfTest(test).read()));
    }

    @Override
    public void afterEach(ExtensionContext test) {
        TestedEngine tested = test.getStore(NAMESPACE).remove(TestedEngine.class, TestedEngine.class);
        if (tested != null) {
            tested.engine().close();
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
        return PARAMETERS.containsKey(parameter.getParameter().getType());
    }

    /**
     * Hands the engine of the test in, or a part of it.
     *
     * @throws ParameterResolutionException if there is no test yet, as in constructors and {@code @BeforeAll}
     */
    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
        Class<?> type = parameter.getParameter().getType();
        TestedEngine tested = test.getStore(NAMESPACE).get(TestedEngine.class, TestedEngine.class);
        Function<TestedEngine, Object> part = PARAMETERS.get(type);
        if (tested == null || part == null) {
            throw new ParameterResolutionException("Each test has a " + type.getSimpleName()
                    + " of its own: ask for it in the test method or in @BeforeEach");
        }
        return part.apply(tested);
    }
}
