package io.ratelimit;

import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The body of a refusal: a text, sent in UTF-8. Immutable. */
public final class RefusalBody {

    private static final Pattern MEDIA_TYPE =
            Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+/[!#$%&'*+.^_`|~0-9A-Za-z-]+([ ]*;[ -~]*)?");
    private static final Pattern CHARSET = Pattern.compile(";\\s*charset=", Pattern.CASE_INSENSITIVE);
    private static final Pattern UTF_8 = Pattern.compile(";\\s*charset=\"?utf-8\"?\\s*(;|$)", Pattern.CASE_INSENSITIVE);

    private final String contentType;
    private final String text;
    private final @Nullable Locale language;

    private RefusalBody(String contentType, String text, @Nullable Locale language) {
        this.contentType = contentType;
        this.text = text;
        this.language = language;
    }

    /**
     * Makes a body.
     *
     * @param contentType its media type, such as {@code application/json}; of a {@code text/} type that names no charset
     *     the answer says {@code charset=utf-8}
     * @param text what it says
     * @return a body that names no language
     * @throws IllegalArgumentException if the content type is no media type, or names another charset than UTF-8
     */
    public static RefusalBody of(String contentType, String text) {
        if (!MEDIA_TYPE.matcher(contentType).matches()) {
            throw new IllegalArgumentException("the content type of a refusal is no media type");
        }
        boolean named = CHARSET.matcher(contentType).find();
        if (named && !UTF_8.matcher(contentType).find()) {
            throw new IllegalArgumentException("the content type of a refusal names another charset than UTF-8");
        }
        boolean unclear = !named && contentType.regionMatches(true, 0, "text/", 0, 5);
        return new RefusalBody(
                unclear ? contentType + ";charset=utf-8" : contentType, Objects.requireNonNull(text), null);
    }

    /**
     * Says in which language the text is.
     *
     * @param spoken the language, told in {@code Content-Language}
     * @return the same body in that language
     */
    public RefusalBody in(Locale spoken) {
        return new RefusalBody(contentType, text, Objects.requireNonNull(spoken));
    }

    /**
     * The value of {@code Content-Type}.
     *
     * @return a media type
     */
    public String contentType() {
        return contentType;
    }

    /**
     * What the body says.
     *
     * @return the text
     */
    public String text() {
        return text;
    }

    /**
     * The language of the text.
     *
     * @return the language, or null where the answer names none
     */
    public @Nullable Locale language() {
        return language;
    }
}
