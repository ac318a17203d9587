package io.ratelimit.server.console;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.Utf8ByteOutput;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.MessageBodyWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;

/** Writes pages as HTML. */
public final class PageWriter implements MessageBodyWriter<Object> {

    private static final String TEMPLATES = "io.ratelimit.server.console";
    private static final MediaType HTML = MediaType.TEXT_HTML_TYPE.withCharset("utf-8");

    private final TemplateEngine templates =
            TemplateEngine.createPrecompiled(null, ContentType.Html, PageWriter.class.getClassLoader(), TEMPLATES);

    /** Makes the writer. */
    public PageWriter() {}

    @Override
    public boolean isWriteable(Class<?> type, Type genericType, Annotation[] annotations, MediaType mediaType) {
        return Page.class.isAssignableFrom(type);
    }

    /** As a whole before the first byte is sent: a template that fails must not leave half a page. */
    @Override
    public void writeTo(
            Object entity,
            Class<?> type,
            Type genericType,
            Annotation[] annotations,
            MediaType mediaType,
            MultivaluedMap<String, Object> headers,
            OutputStream out)
            throws IOException {
        Page page = (Page) entity;
        Utf8ByteOutput html = new Utf8ByteOutput();
        templates.render(page.template(), page, html);
        headers.putSingle("Content-Type", HTML);
        html.writeTo(out::write);
    }
}
