package io.ratelimit.server.document;

import io.ratelimit.core.rules.Printable;
import io.ratelimit.rules.RuleProblem;
import io.ratelimit.rules.RulesException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;

/** The events of a YAML text, which JSON is as well, or what is wrong with it. */
final class YamlEvents {

    /** More than a rules document of the most values that the core reads can have. */
    private static final int MOST = 500_000;

    /** As for the rules parser. The library takes quadratic time where brackets are nested deeply. */
    private static final int DEEPEST = 50;

    private final String location;

    YamlEvents(String location) {
        this.location = location;
    }

    /** All events of a text, within the bounds of a rules document. */
    List<Event> of(String text) throws RulesException {
        List<Event> events = new ArrayList<>();
        int depth = 0;
        try {
            for (Event event : new Parse(settings(text)).parseString(text)) {
                depth += depth(event);
                if (depth > DEEPEST) {
                    throw problem(event, "lists and mappings nest at most " + DEEPEST + " deep");
                }
                if (events.size() == MOST) {
                    throw problem(event, "there is too much here for a rules document");
                }
                events.add(event);
            }
        } catch (MarkedYamlEngineException e) {
            throw problem(e.getProblemMark().or(e::getContextMark), "this is not YAML: " + e.getProblem());
        } catch (RuntimeException e) {
            // The parser's other complaints, of characters that no text may hold, have no place.
            throw problem(Optional.empty(), "this is not YAML: " + e.getMessage());
        }
        return events;
    }

    private static int depth(Event event) {
        if (event instanceof CollectionStartEvent) {
            return 1;
        }
        return event instanceof CollectionEndEvent ? -1 : 0;
    }

    RulesException problem(Event place, String message) {
        return problem(place.getStartMark(), message);
    }

    private RulesException problem(Optional<Mark> place, String message) {
        int line = place.map(mark -> mark.getLine() + 1).orElse(0);
        int column = place.map(mark -> mark.getColumn() + 1).orElse(0);
        String oneLine = Printable.escaped(Printable.shortened(message, 300));
        return new RulesException(List.of(new RuleProblem(location, line, column, null, null, oneLine)));
    }

    private static LoadSettings settings(String text) {
        return LoadSettings.builder()
                .setParseComments(false)
                .setCodePointLimit(Integer.MAX_VALUE)
                // The parser's buffer grows by copying, which takes quadratic time where a token is huge.
                .setBufferSize(text.length() + 1)
                .build();
    }
}
