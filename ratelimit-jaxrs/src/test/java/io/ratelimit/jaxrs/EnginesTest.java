package io.ratelimit.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.mockito.Mockito.mock;

import jakarta.ws.rs.container.ContainerRequestContext;
import java.net.URL;
import java.util.ServiceConfigurationError;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EnginesTest {

    @ParameterizedTest
    @ValueSource(classes = {IllegalStateException.class, NoClassDefFoundError.class, ServiceConfigurationError.class})
    void anEngineThatCannotBeMadeIsNotTriedAgainForEachRequest(Class<? extends Throwable> failure) {
        AtomicInteger tries = new AtomicInteger();
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(new ClassLoader(before) {
            @Override
            public URL getResource(String name) {
                tries.incrementAndGet();
                throw failed(failure);
            }
        });
        try (Engines engines = new Engines(null)) {
            ContainerRequestContext request = mock(ContainerRequestContext.class);
            Exchange exchange = mock(Exchange.class);
            Throwable first = catchThrowable(() -> engines.find(request, exchange));
            assertThat(first).isInstanceOf(IllegalStateException.class).hasCauseInstanceOf(failure);
            assertThat(catchThrowable(() -> engines.find(request, exchange))).isSameAs(first);
            assertThat(tries).hasValue(1);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static RuntimeException failed(Class<? extends Throwable> failure) {
        if (failure == IllegalStateException.class) {
            return new IllegalStateException("broken");
        }
        if (failure == NoClassDefFoundError.class) {
            throw new NoClassDefFoundError("missing");
        }
        throw new ServiceConfigurationError("not a subtype");
    }
}
