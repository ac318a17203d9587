package io.ratelimit.core.http;

import io.ratelimit.LimitStatus;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What refusals say, in all languages that there are; all of it is read when this is made. Thread-safe. */
final class Messages {

    private static final List<Locale> SHIPPED =
            List.of(Locale.ENGLISH, Locale.GERMAN, Locale.FRENCH, Locale.forLanguageTag("es"));

    private final Map<Locale, MessageTexts> byLanguage = new LinkedHashMap<>();
    private final List<Locale> languages;
    private final MessageTexts english;

    Messages(MessageBundles bundles) {
        english = new MessageTexts(Locale.ENGLISH, bundles.texts(Locale.ENGLISH));
        for (Locale language : SHIPPED) {
            byLanguage.put(language, new MessageTexts(language, bundles.texts(language)));
        }
        for (Locale language : bundles.addedLanguages()) {
            byLanguage.put(language, new MessageTexts(language, bundles.texts(language)));
        }
        languages = List.copyOf(byLanguage.keySet());
    }

    /** The language that the client likes best; English where it accepts none of ours. */
    Locale languageFor(List<String> acceptLanguageLines) {
        return AcceptedLanguage.choose(acceptLanguageLines, languages).orElse(Locale.ENGLISH);
    }

    /** What a refusal says in one of our languages of the limit that decided, or of none. */
    String message(Locale language, @Nullable LimitStatus deciding) {
        return byLanguage.getOrDefault(language, english).of(deciding);
    }
}
