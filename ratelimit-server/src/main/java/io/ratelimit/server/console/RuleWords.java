package io.ratelimit.server.console;

import io.ratelimit.rules.Charging;
import io.ratelimit.rules.OnExceeded;
import io.ratelimit.rules.OnExceeded.Line;
import io.ratelimit.rules.OnFailure;
import io.ratelimit.rules.Rule;
import io.ratelimit.rules.Sharing;
import io.ratelimit.rules.StatusRange;
import io.ratelimit.rules.StorePolicy;
import java.util.ArrayList;
import java.util.List;

/** Says in plain words what rules do. Immutable and thread-safe. */
final class RuleWords {

    private final RequestWords requests = new RequestWords();
    private final ClientWords clients = new ClientWords();
    private final LimitWords limits = new LimitWords();
    private final DurationWords durations = new DurationWords();

    RuleInWords of(Rule rule) {
        return new RuleInWords(
                rule.name(),
                requests.of(rule.match()),
                clients.of(rule.key()),
                counting(rule),
                limits.of(rule.limits()),
                exceeded(rule.onExceeded()),
                exceptions(rule));
    }

    private String exceeded(OnExceeded onExceeded) {
        return switch (onExceeded.action()) {
            case REJECT -> "refused with status " + onExceeded.status();
            case DROP -> "the connection is closed without an answer";
            case SHADOW -> "only counted, nobody is refused";
            case QUEUE -> queue(onExceeded);
        };
    }

    private String queue(OnExceeded onExceeded) {
        Line line = onExceeded.line();
        String places = line == null
                ? ""
                : ", " + line.places() + (line.places() == 1 ? " place" : " places") + " and at most "
                        + durations.of(line.maxWait());
        return "waits in line" + places + "; then refused with status " + onExceeded.status();
    }

    private List<String> exceptions(Rule rule) {
        return rule.overrides().stream()
                .map(override ->
                        requests.of(override.when()) + ": " + String.join(" and ", limits.of(override.limits())))
                .toList();
    }

    private List<String> counting(Rule rule) {
        List<String> words = new ArrayList<>();
        if (rule.charging() instanceof Charging.OnResponse response) {
            words.add("counted only where the answer is "
                    + RequestWords.or(response.statuses().stream()
                            .map(StatusRange::toString)
                            .toList()));
        }
        words.addAll(store(rule.store()));
        return words;
    }

    /** What is said of the shared store, and nothing of what is left to others to say. */
    List<String> store(StorePolicy store) {
        List<String> words = new ArrayList<>();
        if (store.sharing() != null) {
            words.add(sharing(store.sharing()));
        }
        if (store.onFailure() != null) {
            words.add("if shared counts cannot be reached, " + failure(store.onFailure()));
        }
        if (store.storeTimeout() != null) {
            words.add("shared counts may take " + durations.of(store.storeTimeout()));
        }
        return words;
    }

    private static String sharing(Sharing sharing) {
        return switch (sharing) {
            case EXACT -> "all hosts count together, exactly";
            case LEASED -> "hosts take a share of the limit ahead of time";
            case EVENTUAL -> "hosts count alone and tell one another";
            case HOST -> "each host counts alone";
        };
    }

    private static String failure(OnFailure onFailure) {
        return switch (onFailure) {
            case LOCAL -> "each host goes on alone";
            case OPEN -> "requests pass";
            case CLOSED -> "requests are refused";
        };
    }
}
