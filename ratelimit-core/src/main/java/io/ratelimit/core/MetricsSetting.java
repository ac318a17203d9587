package io.ratelimit.core;

import io.ratelimit.RateLimitListener;
import io.ratelimit.core.metrics.MicrometerListener;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The setting {@code metrics}, for engines that no code builds: meters in Micrometer's global registry.
 *
 * @param tags stand on each meter
 */
record MetricsSetting(Map<String, String> tags) {

    private static final Pattern TAG = Pattern.compile("\\s*([A-Za-z][A-Za-z0-9._-]*)\\s*=\\s*([^,=]*[^,=\\s])\\s*");

    MetricsSetting {
        tags = Map.copyOf(tags);
    }

    /** Whether the text asks for meters at all. */
    static boolean isOn(String text) {
        return !text.equals("false");
    }

    /**
     * Reads {@code true}, or tags such as {@code app=orders, engine=a}.
     *
     * @throws IllegalArgumentException if the text is neither
     */
    static MetricsSetting parse(String text) {
        Map<String, String> tags = new LinkedHashMap<>();
        if (text.equals("true")) {
            return new MetricsSetting(tags);
        }
        for (String part : text.split(",", -1)) {
            var tag = TAG.matcher(part);
            if (!tag.matches() || tags.putIfAbsent(tag.group(1), tag.group(2)) != null) {
                throw new IllegalArgumentException(
                        "it must be true, false, or tags for all meters such as app=orders, each name once");
            }
        }
        return new MetricsSetting(tags);
    }

    /**
     * Makes the meters.
     *
     * @throws IllegalArgumentException if Micrometer is not there
     */
    RateLimitListener listener() {
        try {
            return MicrometerListener.global(tags);
        } catch (NoClassDefFoundError e) {
            throw new IllegalArgumentException(
                    "setting metrics needs Micrometer: add io.micrometer:micrometer-core to the class path", e);
        }
    }
}
