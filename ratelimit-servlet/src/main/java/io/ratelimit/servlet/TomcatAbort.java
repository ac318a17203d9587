package io.ratelimit.servlet;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * Tomcat 10.1 and 11 close a connection at once when the processor of the request is told to, and reset a stream of HTTP/2 when
 * the stream is cancelled. An application gets a facade, which hides the request that knows both in a field.
 */
final class TomcatAbort implements ConnectionAbort {

    private final ContainerType facade = new ContainerType("org.apache.catalina.connector.RequestFacade");
    private final ContainerType coyote = new ContainerType("org.apache.coyote.Request");
    private final ContainerType http2Processor = new ContainerType("org.apache.coyote.http2.StreamProcessor");

    @Override
    public boolean abort(ServletRequest request, ServletResponse response) {
        Class<?> facadeType = facade.of(request);
        if (facadeType == null) {
            return false;
        }
        try {
            Object coyoteRequest = call(field(facadeType, "request", request), "getCoyoteRequest");
            Object processor = field(existing(coyote.of(coyoteRequest)), "hook", coyoteRequest);
            Class<?> http2Type = http2Processor.of(processor);
            if (http2Type == null) {
                close(coyoteRequest);
            } else {
                cancel(field(http2Type, "stream", processor), call(coyoteRequest, "getResponse"));
            }
            return true;
        } catch (ReflectiveOperationException | RuntimeException e) {
            return false;
        }
    }

    private static void close(Object coyoteRequest) throws ReflectiveOperationException {
        Class<?> codes = sibling(coyoteRequest, "org.apache.coyote.ActionCode");
        Method action = coyoteRequest.getClass().getMethod("action", codes, Object.class);
        action.invoke(coyoteRequest, codes.getField("CLOSE_NOW").get(null), null);
    }

    /** A response that counts as committed is not written when the request ends; what is left to send is the reset. */
    private static void cancel(Object stream, Object coyoteResponse) throws ReflectiveOperationException {
        Class<?> errors = sibling(stream, "org.apache.coyote.http2.Http2Error");
        Field reason = errors.getField("CANCEL");
        reason.setAccessible(true);
        Method cancel = stream.getClass().getDeclaredMethod("doStreamCancel", String.class, errors);
        cancel.setAccessible(true);
        coyoteResponse.getClass().getMethod("setCommitted", boolean.class).invoke(coyoteResponse, true);
        try {
            cancel.invoke(stream, "dropped", reason.get(null));
        } catch (InvocationTargetException thrownToStopTheApplication) {
            return;
        }
    }

    private static Class<?> sibling(Object object, String name) throws ClassNotFoundException {
        return Class.forName(name, true, object.getClass().getClassLoader());
    }

    private static Object field(Class<?> type, String name, Object object) throws ReflectiveOperationException {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return existing(field.get(object));
    }

    private static Object call(Object object, String getter) throws ReflectiveOperationException {
        return existing(object.getClass().getMethod(getter).invoke(object));
    }

    private static <T> T existing(@Nullable T object) throws ReflectiveOperationException {
        if (object == null) {
            throw new ReflectiveOperationException("this Tomcat is built another way");
        }
        return object;
    }
}
