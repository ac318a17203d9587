package io.ratelimit.server.console;

/** A page, or a part of one, with all that its template shows. */
interface Page {

    /**
     * The template that shows the page.
     *
     * @return its file's name, such as {@code services.jte}; it has one parameter, {@code page}
     */
    String template();
}
