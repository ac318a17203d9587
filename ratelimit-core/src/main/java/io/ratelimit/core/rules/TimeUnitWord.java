package io.ratelimit.core.rules;

import com.google.common.collect.ImmutableList;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** A unit of time: its short sign, its English name, and what people shorten that to. */
enum TimeUnitWord {
    MILLISECOND("ms", Duration.ofMillis(1)),
    SECOND("s", Duration.ofSeconds(1), "sec", "secs"),
    MINUTE("m", Duration.ofMinutes(1), "min", "mins"),
    HOUR("h", Duration.ofHours(1), "hr", "hrs"),
    DAY("d", Duration.ofDays(1)),
    WEEK("w", Duration.ofDays(7)),
    MONTH("mo", Duration.ofDays(30)),
    YEAR("y", Duration.ofDays(365));

    private final ImmutableList<String> words;
    private final Duration duration;

    TimeUnitWord(String sign, Duration duration, String... shortened) {
        String name = name().toLowerCase(Locale.ROOT);
        this.words = ImmutableList.<String>builder()
                .add(sign, name, name + "s")
                .add(shortened)
                .build();
        this.duration = duration;
    }

    Duration duration() {
        return duration;
    }

    static Optional<TimeUnitWord> of(String word) {
        return Arrays.stream(values()).filter(unit -> unit.words.contains(word)).findFirst();
    }

    /** The end of a message about an unknown unit: the nearest word, and the valid ones. */
    static String choice(String word) {
        List<String> all =
                Arrays.stream(values()).flatMap(unit -> unit.words.stream()).toList();
        String signs = Arrays.stream(values()).map(unit -> unit.words.get(0)).collect(Collectors.joining(", "));
        return NearestWord.hint(word, all) + "; units are " + signs + " and their English names";
    }
}
