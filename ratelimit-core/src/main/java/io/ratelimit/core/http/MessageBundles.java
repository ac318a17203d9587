package io.ratelimit.core.http;

import com.google.common.base.Splitter;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IllformedLocaleException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.PropertyResourceBundle;
import java.util.ResourceBundle;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the bundles of messages: those shipped, and those of the application on its class path, which stand before them.
 * They are named as {@link ResourceBundle} names them, and read in UTF-8 and not through its cache, which would outlive
 * the application. Not thread-safe.
 */
final class MessageBundles {

    /** The application's bundle. */
    static final String BASE_NAME = "ratelimit-messages";

    /** The key of the application's bundle that names its languages. */
    static final String LANGUAGES = "languages";

    private static final Logger LOG = LoggerFactory.getLogger(HttpAnswers.class);
    private static final Set<String> KEYS =
            Set.of(MessageTexts.EXCEEDED, MessageTexts.BUSY, MessageTexts.NEVER, MessageTexts.UNAVAILABLE, LANGUAGES);
    private static final ResourceBundle.Control NAMES =
            ResourceBundle.Control.getNoFallbackControl(ResourceBundle.Control.FORMAT_PROPERTIES);

    private final @Nullable ClassLoader application;

    /** Each is read, and its mistakes are reported, once. */
    private final Map<Locale, Map<String, String>> bundles = new HashMap<>();

    /**
     * Reads from one class loader beside our own.
     *
     * @param application the class loader of the application; null to read what is shipped alone
     */
    MessageBundles(@Nullable ClassLoader application) {
        this.application = application;
    }

    /** The languages that the application adds, in the order in which it names them. */
    List<Locale> addedLanguages() {
        List<Locale> languages = new ArrayList<>();
        String named = ofApplication(Locale.ROOT).getOrDefault(LANGUAGES, "");
        for (String tag : Splitter.on(',').trimResults().omitEmptyStrings().split(named)) {
            try {
                languages.add(new Locale.Builder().setLanguageTag(tag).build());
            } catch (IllformedLocaleException e) {
                LOG.error("{}.properties: {}: '{}' is no language tag such as pt-BR", BASE_NAME, LANGUAGES, tag);
            }
        }
        return languages;
    }

    /** All texts for a language: its own, then those of the language that it is a kind of, then the English ones. */
    Map<String, String> texts(Locale language) {
        List<Locale> candidates = NAMES.getCandidateLocales(BASE_NAME, language);
        Map<String, String> texts = new HashMap<>();
        for (int i = candidates.size() - 1; i >= 0; i--) {
            texts.putAll(bundles.computeIfAbsent(candidates.get(i), this::bundle));
        }
        return texts;
    }

    private Map<String, String> bundle(Locale language) {
        Map<String, String> texts = new HashMap<>(shipped(language));
        ofApplication(language).forEach((key, text) -> {
            if (isUsable(language, key, text)) {
                texts.put(key, text);
            }
        });
        return texts;
    }

    private static boolean isUsable(Locale language, String key, String text) {
        try {
            MessageTexts.check(language, text);
        } catch (IllegalArgumentException e) {
            LOG.error(
                    "{}.properties: {}: this is no message, another stands in for it: {}",
                    NAMES.toBundleName(BASE_NAME, language),
                    key,
                    e.getMessage());
            return false;
        }
        if (!KEYS.contains(key)) {
            LOG.warn("{}.properties: {}: there is no such message", NAMES.toBundleName(BASE_NAME, language), key);
        }
        return true;
    }

    private static Map<String, String> shipped(Locale language) {
        String name = NAMES.toBundleName("messages", language) + ".properties";
        return read(name, HttpAnswers.class.getResourceAsStream(name));
    }

    private Map<String, String> ofApplication(Locale language) {
        String name = NAMES.toBundleName(BASE_NAME, language) + ".properties";
        return application == null ? Map.of() : read(name, application.getResourceAsStream(name));
    }

    private static Map<String, String> read(String name, @Nullable InputStream resource) {
        if (resource == null) {
            return Map.of();
        }
        Map<String, String> texts = new HashMap<>();
        try (InputStreamReader reader = new InputStreamReader(resource, StandardCharsets.UTF_8)) {
            ResourceBundle bundle = new PropertyResourceBundle(reader);
            bundle.keySet().forEach(key -> texts.put(key, bundle.getString(key)));
        } catch (IOException | IllegalArgumentException e) {
            LOG.error("{} cannot be read, other messages stand in for its: {}", name, e.getMessage());
        }
        return texts;
    }
}
