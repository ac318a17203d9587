package io.ratelimit.core.setting;

import java.util.Map;

/**
 * The texts of settings by their names. Immutable as far as the map is.
 *
 * @param given the settings that were given
 */
public record SettingTexts(Map<String, String> given) {

    /**
     * Whether a setting was given.
     *
     * @param name its name
     * @return true if it was, with whatever text
     */
    public boolean has(String name) {
        return given.containsKey(name);
    }

    /**
     * The text of a setting, without blanks around it.
     *
     * @param name its name
     * @param byDefault the text where it was not given; empty where it must be
     * @return the text, not empty
     * @throws IllegalArgumentException if it is empty; the message names the setting
     */
    public String text(String name, String byDefault) {
        String text = given.getOrDefault(name, byDefault);
        if (text.isBlank()) {
            throw wrong(name, text, "it must not be empty");
        }
        return text.strip();
    }

    /**
     * What to throw for a text that is not valid.
     *
     * @param name the setting
     * @param text its text
     * @param why what would be right
     * @return the exception, not thrown yet
     */
    public static IllegalArgumentException wrong(String name, String text, String why) {
        return new IllegalArgumentException("setting " + name + " is '" + text + "': " + why);
    }
}
