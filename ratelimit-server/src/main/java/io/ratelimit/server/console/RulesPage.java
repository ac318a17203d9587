package io.ratelimit.server.console;

import io.ratelimit.server.console.SettingsWords.Setting;
import io.ratelimit.server.rules.RulesVersion;
import jakarta.ws.rs.core.UriBuilder;
import java.util.List;

/**
 * The rules in force.
 *
 * @param shell what stands around the page
 * @param version what is in force
 * @param isReadable whether the text can still be read as rules
 * @param isNew whether the reader has just published it
 * @param settings what holds for all rules
 * @param rules those of them that are shown
 * @param filter what rules must mention to be listed; empty for all
 * @param found how many rules do
 * @param from how many of these come before those that are shown
 */
record RulesPage(
        Shell shell,
        RulesVersion version,
        boolean isReadable,
        boolean isNew,
        List<Setting> settings,
        List<RuleInWords> rules,
        String filter,
        int found,
        int from)
        implements Page {

    static final int SIZE = 200;

    boolean hasEarlier() {
        return from > 0;
    }

    boolean hasLater() {
        return from + rules.size() < found;
    }

    String earlier() {
        return at(Math.max(from - SIZE, 0));
    }

    String later() {
        return at(from + SIZE);
    }

    private String at(int place) {
        return UriBuilder.fromPath("/services/{service}")
                .queryParam("filter", "{filter}")
                .queryParam("from", place)
                .build(version.service().text(), filter)
                .toString();
    }

    @Override
    public String template() {
        return "rules.jte";
    }
}
