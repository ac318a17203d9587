package io.ratelimit.servlet;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Undertow's request leads to its connection, which closes, or resets the stream where HTTP/2 is spoken. */
final class UndertowAbort implements ConnectionAbort {

    private final ContainerType requestType = new ContainerType("io.undertow.servlet.spec.HttpServletRequestImpl");

    @Override
    public boolean abort(ServletRequest request, ServletResponse response) {
        if (requestType.of(request) == null) {
            return false;
        }
        try {
            Object exchange = get(request, "getExchange");
            if (exchange == null || !(get(exchange, "getConnection") instanceof Closeable connection)) {
                return false;
            }
            connection.close();
            return true;
        } catch (ReflectiveOperationException | IOException | RuntimeException e) {
            return false;
        }
    }

    private static @Nullable Object get(Object object, String getter) throws ReflectiveOperationException {
        return object.getClass().getMethod(getter).invoke(object);
    }
}
