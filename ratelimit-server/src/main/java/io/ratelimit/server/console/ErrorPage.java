package io.ratelimit.server.console;

/**
 * What went wrong, and how to go on.
 *
 * @param shell what stands around the page
 * @param status the HTTP status
 * @param title what it is in a few words
 * @param detail what is wrong and what would be right
 */
record ErrorPage(Shell shell, int status, String title, String detail) implements Page {

    @Override
    public String template() {
        return "error.jte";
    }
}
