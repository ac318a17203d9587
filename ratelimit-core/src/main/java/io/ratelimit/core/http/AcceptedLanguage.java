package io.ratelimit.core.http;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Chooses a language by {@code Accept-Language} (RFC 9110 section 12.5.4). Ranges are tried by their weight, those of one
 * weight in order; each is looked up as RFC 4647 section 3.4 says: {@code de-AT} finds German. Where that finds nothing,
 * {@code pt} finds the Portuguese of a country. {@code *} stands for any language that the client does not exclude.
 */
final class AcceptedLanguage {

    private final List<WeightedRange> ranges;

    private AcceptedLanguage(List<WeightedRange> ranges) {
        this.ranges = ranges;
    }

    /** The language that the client likes best; empty where none is acceptable. */
    static Optional<Locale> choose(List<String> acceptLanguageLines, List<Locale> languages) {
        if (acceptLanguageLines.isEmpty()) {
            return languages.stream().findFirst();
        }
        return new AcceptedLanguage(WeightedRange.parse(acceptLanguageLines)).choose(languages);
    }

    private Optional<Locale> choose(List<Locale> languages) {
        return ranges.stream()
                .filter(range -> range.weight() > 0)
                .sorted(Comparator.comparingDouble(WeightedRange::weight).reversed())
                .flatMap(range -> find(range.range(), languages).stream())
                .findFirst();
    }

    private Optional<Locale> find(String range, List<Locale> languages) {
        if (range.equals("*")) {
            return languages.stream().filter(language -> !isExcluded(language)).findFirst();
        }
        return tagged(range, languages)
                .or(() -> moreGeneral(range, languages))
                .or(() -> languages.stream()
                        .filter(language -> tag(language).startsWith(range + "-") && !isExcluded(language))
                        .findFirst());
    }

    private Optional<Locale> moreGeneral(String range, List<Locale> languages) {
        for (int end = range.lastIndexOf('-'); end > 0; end = range.lastIndexOf('-', end - 1)) {
            Optional<Locale> found =
                    tagged(range.substring(0, end), languages).filter(language -> !isExcluded(language));
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static Optional<Locale> tagged(String range, List<Locale> languages) {
        return languages.stream()
                .filter(language -> tag(language).equals(range))
                .findFirst();
    }

    private boolean isExcluded(Locale language) {
        String tag = tag(language);
        return ranges.stream()
                .filter(range -> range.weight() == 0)
                .anyMatch(range -> tag.equals(range.range()) || tag.startsWith(range.range() + "-"));
    }

    private static String tag(Locale language) {
        return language.toLanguageTag().toLowerCase(Locale.ROOT);
    }
}
