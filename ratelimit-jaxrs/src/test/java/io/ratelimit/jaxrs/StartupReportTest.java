package io.ratelimit.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyMap;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.ratelimit.annotation.RateLimitExempt;
import io.ratelimit.annotation.RateLimited;
import io.ratelimit.core.RateLimitEngine;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.FeatureContext;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;
import org.slf4j.LoggerFactory;

class StartupReportTest {

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(RateLimitFeature.class);

    @BeforeEach
    void listen() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(log);
    }

    private static void configure(RateLimitFeature feature, Class<?> resource, String name) {
        Method method = Arrays.stream(resource.getMethods())
                .filter(candidate -> candidate.getName().equals(name))
                .findFirst()
                .orElseThrow();
        ResourceInfo info = mock(ResourceInfo.class);
        when(info.getResourceClass()).thenAnswer(call -> resource);
        when(info.getResourceMethod()).thenReturn(method);
        feature.configure(info, mock(FeatureContext.class));
    }

    private List<String> lines(Level level) {
        return log.list.stream()
                .filter(event -> event.getLevel() == level)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    public static class Wrong {

        @GET
        @RateLimited(limits = {"20/fortnight", "5/m"})
        public String badLimit() {
            return "";
        }

        @GET
        @RateLimited(limits = "5/m", key = "adress")
        public String badKey() {
            return "";
        }

        @GET
        @RateLimited(operation = "two words", limits = "5/m")
        public String badName() {
            return "";
        }

        @GET
        @RateLimited(cost = -7)
        public String badCost() {
            return "";
        }

        @GET
        @RateLimited(cost = 6, limits = "5/m")
        public String tooDear() {
            return "";
        }

        @GET
        @RateLimited(operation = "shared", limits = "5/m")
        public String one() {
            return "";
        }

        @GET
        @RateLimited(operation = "shared", limits = "6/m")
        public String other() {
            return "";
        }
    }

    @Test
    void aWrongValueIsOneLineThatNamesPlaceValueAndWhatIsRight() {
        try (RateLimitFeature feature = new RateLimitFeature()) {
            for (String method : List.of("badLimit", "badKey", "badName", "badCost")) {
                assertThatCode(() -> configure(feature, Wrong.class, method)).doesNotThrowAnyException();
            }
        }
        String place = Wrong.class.getName();
        assertThat(lines(Level.ERROR)).hasSize(4);
        assertThat(lines(Level.ERROR).get(0)).contains(place + ".badLimit", "20/fortnight", "fortnight", "limits");
        assertThat(lines(Level.ERROR).get(1)).contains(place + ".badKey", "adress", "identities are user, ip");
        assertThat(lines(Level.ERROR).get(2)).contains(place + ".badName", "two words", "letters, digits");
        assertThat(lines(Level.ERROR).get(3)).contains(place + ".badCost", "-7", "at least 0");
    }

    public static class Together {

        @GET
        @RateLimited(limits = {"20/s", "10/s", "5/m"})
        public String samePeriod() {
            return "";
        }

        @GET
        @RateLimited(limits = {"0", "5/m"})
        public String zeroBeside() {
            return "";
        }
    }

    @Test
    void limitsThatMayNotStandTogetherInAFileMayNotDoSoInTheCode() throws Exception {
        RateLimitEngine engine = TestEngine.with("");
        try (RateLimitFeature feature = new RateLimitFeature(engine)) {
            configure(feature, Together.class, "samePeriod");
            configure(feature, Together.class, "zeroBeside");
        }
        engine.close();
        assertThat(lines(Level.ERROR)).hasSize(2);
        assertThat(lines(Level.ERROR).get(0))
                .contains("Together.samePeriod: limits: ", "'10 per 1s'", "'20 per 1s'", "another period");
        assertThat(lines(Level.ERROR).get(1)).contains("Together.zeroBeside: limits: ", "leave out the 0");
    }

    @Test
    void aCostAboveTheCapacityIsReported() {
        configure(new RateLimitFeature(), Wrong.class, "tooDear");
        assertThat(lines(Level.WARN)).singleElement().asString().contains("tooDear", "5 per 1m", "6");
    }

    @Test
    void twoPlacesThatSetOtherLimitsForOneOperationAreReported() {
        RateLimitFeature feature = new RateLimitFeature();
        configure(feature, Wrong.class, "one");
        configure(feature, Wrong.class, "one");
        assertThat(lines(Level.ERROR)).isEmpty();
        configure(feature, Wrong.class, "other");
        assertThat(lines(Level.ERROR)).singleElement().asString().contains("Wrong.other", "'shared'", "Wrong.one");
    }

    public static class Ignored {

        @GET
        public String resource() {
            return hidden() + helper();
        }

        @GET
        @RateLimited(limits = "5/m")
        String hidden() {
            return "";
        }

        @RateLimitExempt
        public String helper() {
            return "";
        }

        @Path("sub")
        @RateLimited(limits = "5/m")
        public Object locator() {
            return this;
        }
    }

    @Test
    void anAnnotationThatJaxRsNeverCallsIsReportedOnce() {
        RateLimitFeature feature = new RateLimitFeature();
        configure(feature, Ignored.class, "resource");
        configure(feature, Ignored.class, "resource");
        assertThat(lines(Level.WARN))
                .hasSize(3)
                .anyMatch(line -> line.contains("hidden"))
                .anyMatch(line -> line.contains("helper"))
                .anyMatch(line -> line.contains("locator"));
    }

    public static class LimitedMapper implements ExceptionMapper<IllegalStateException> {

        @Override
        @RateLimited(limits = "5/m")
        public Response toResponse(IllegalStateException exception) {
            return Response.status(418).entity("mapped").build();
        }
    }

    @Test
    @Tag("jaxrs")
    void anAnnotationOnWhatIsNoResourceIsReported() throws Exception {
        try (Served app = Served.alone(TestEngine.with(""), AnnotatedResourceTest.Orders.class, LimitedMapper.class)) {
            assertThat(app.get("/orders").statusCode()).isEqualTo(200);
            assertThat(app.get("/orders/7").statusCode()).isEqualTo(200);
        }
        assertThat(lines(Level.WARN))
                .singleElement()
                .asString()
                .contains("LimitedMapper", "is ignored, because it is no resource");
    }

    @Test
    void aFaultOfTheLimiterLetsRequestsPassAndIsReportedOnce() throws Exception {
        FeatureContext context = mock(FeatureContext.class);
        ResourceInfo info = mock(ResourceInfo.class);
        when(info.getResourceClass()).thenAnswer(call -> Ignored.class);
        when(info.getResourceMethod()).thenReturn(Ignored.class.getMethod("resource"));
        new RateLimitFeature().configure(info, context);
        ArgumentCaptor<Object> filter = ArgumentCaptor.forClass(Object.class);
        verify(context).register(filter.capture(), anyMap());
        ContainerRequestContext request = mock(ContainerRequestContext.class);
        when(request.getProperty(any())).thenThrow(new IllegalStateException("on purpose"));
        for (int i = 0; i < 3; i++) {
            assertThatCode(() -> ((ContainerRequestFilter) filter.getValue()).filter(request))
                    .doesNotThrowAnyException();
        }
        verify(request, never()).abortWith(any());
        assertThat(lines(Level.ERROR)).hasSize(1);
    }
}
