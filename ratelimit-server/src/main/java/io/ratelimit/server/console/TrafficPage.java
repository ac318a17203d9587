package io.ratelimit.server.console;

import com.google.common.net.UrlEscapers;

/**
 * A service's traffic: which hosts there are, how many requests passed and were refused.
 *
 * @param visit whose page it is
 * @param rule the rule that is looked at, or empty for all together
 * @param view the numbers
 */
record TrafficPage(Visit visit, String rule, TrafficView view) implements Page {

    @Override
    public String template() {
        return "traffic.jte";
    }

    /** The address of what the page loads anew, with what was chosen. */
    String address(String part) {
        return visit.path() + "/" + part + "rule="
                + UrlEscapers.urlFormParameterEscaper().escape(rule);
    }
}
