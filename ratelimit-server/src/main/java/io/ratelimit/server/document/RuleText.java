package io.ratelimit.server.document;

import io.ratelimit.rules.RulesException;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;

/**
 * One rule as it is put into documents.
 *
 * @param tree what it says
 * @param written its lines as they were written, comments included, where they can stand in a list as they are
 */
record RuleText(RuleTree tree, Optional<List<String>> written) {

    static RuleText parse(String text) throws RulesException {
        RuleTree tree = RuleTree.parse(text);
        List<Event> events = new YamlEvents(RulesEditor.LOCATION).of(text);
        boolean isMarked =
                events.stream().anyMatch(event -> event instanceof DocumentStartEvent start && start.isExplicit());
        boolean isFlow = events.stream()
                .filter(event -> event instanceof CollectionStartEvent)
                .findFirst()
                .map(event -> ((CollectionStartEvent) event).isFlow())
                .orElse(false);
        return new RuleText(
                tree,
                isMarked || isFlow
                        ? Optional.empty()
                        : Optional.of(text.stripTrailing()
                                .stripIndent()
                                .lines()
                                .dropWhile(String::isBlank)
                                .toList()));
    }

    /** Its lines as an item of a list that is written with dashes, without the dash. */
    List<String> lines() {
        return written.orElseGet(() -> tree.yaml().lines().toList());
    }
}
