package io.ratelimit.server.console;

/**
 * The numbers of a page on traffic, to take the place of those that the page shows.
 *
 * @param view the numbers
 */
record TrafficPart(TrafficView view) implements Page {

    @Override
    public String template() {
        return "traffic-part.jte";
    }
}
