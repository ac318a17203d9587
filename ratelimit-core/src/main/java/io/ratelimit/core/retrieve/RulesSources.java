package io.ratelimit.core.retrieve;

import io.ratelimit.rules.RulesSource;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The sources that come with the library, by the text a deployment names them with. */
public final class RulesSources {

    /** At least two letters, so that the drive of a Windows path is no scheme; an asterisk for classpath*. */
    private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.*-]+):(.*)", Pattern.DOTALL);

    private static final String RIGHT = "write classpath:NAME, file:/PATH, a plain path, or an http:// or https:// URL";

    private RulesSources() {}

    /**
     * Finds the source that a location names. Nothing is opened yet.
     *
     * @param location {@code classpath:ratelimit.yaml}, {@code file:/etc/ratelimit.yaml}, a plain path, or an
     *     {@code http} or {@code https} URL; credentials in the URL are sent as Basic authentication and appear in no
     *     message
     * @param settings what the source needs beside the location
     * @return the source
     * @throws IllegalArgumentException if the location names no source; the message says what would be right
     */
    public static RulesSource of(String location, RulesSourceSettings settings) {
        String text = location.strip();
        Matcher matcher = SCHEME.matcher(text);
        if (text.isEmpty()) {
            throw new IllegalArgumentException("the location of the rules is empty: " + RIGHT);
        }
        if (!matcher.matches()) {
            return file(text, settings);
        }
        String scheme = Objects.requireNonNull(matcher.group(1)).toLowerCase(Locale.ROOT);
        String rest = Objects.requireNonNull(matcher.group(2));
        return switch (scheme) {
            case "classpath" -> classpath(rest, settings);
            case "file" -> rest.startsWith("/") ? fileOfUri(text, settings) : file(rest, settings);
            case "http", "https" -> new HttpRulesSource(HttpLocation.parse(text, settings.bearerToken()), settings);
            default ->
                // The rest may hold credentials: it is not shown.
                throw new IllegalArgumentException("rules cannot come from '" + scheme + ":': " + RIGHT + " (./"
                        + scheme + ":… for a file with a colon in its name)");
        };
    }

    private static RulesSource classpath(String rest, RulesSourceSettings settings) {
        String name = rest.replaceFirst("^/+", "");
        if (name.isEmpty()) {
            throw new IllegalArgumentException(
                    "the location 'classpath:" + rest + "' names no resource: write classpath:ratelimit.yaml");
        }
        ClassLoader own = Objects.requireNonNull(RulesSources.class.getClassLoader());
        ClassLoader loader = settings.classLoader();
        return new ClasspathRulesSource(name, loader == null ? own : loader, settings.time());
    }

    private static RulesSource fileOfUri(String location, RulesSourceSettings settings) {
        try {
            URI uri = new URI(location);
            return new FileRulesSource(Path.of(uri), Pause.SLEEP, settings.time());
        } catch (URISyntaxException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "the location '" + location + "' is not a file of this host (" + e.getMessage()
                            + "): write file:/PATH with blanks as %20, or the plain path",
                    e);
        }
    }

    private static RulesSource file(String path, RulesSourceSettings settings) {
        try {
            if (path.isEmpty()) {
                throw new IllegalArgumentException("the location 'file:' names no file: write file:/PATH");
            }
            return new FileRulesSource(Path.of(path), Pause.SLEEP, settings.time());
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("the location '" + path + "' is not a path: " + RIGHT, e);
        }
    }
}
