package io.ratelimit.core.rules;

import io.ratelimit.rules.Identity;
import io.ratelimit.rules.Key;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The spelling of identities ({@code user}, {@code ip}, {@code bearer}, {@code header:NAME}, {@code cookie:NAME},
 * {@code attribute:NAME}) and of keys: identities, or {@code service} for one bucket for everybody.
 *
 * <p>Has no state; any number of threads may share one.
 */
public final class KeyGrammar {

    static final String SERVICE = "service";

    /** A token of RFC 9110 section 5.6.2, which names of headers and cookies are. */
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");

    /** Makes a grammar. */
    public KeyGrammar() {}

    /**
     * Reads an identity.
     *
     * @param text the identity
     * @return the identity; its name is kept as written
     * @throws IllegalArgumentException if the text is no identity; the message says what would be right
     */
    public Identity identity(String text) {
        int colon = text.indexOf(':');
        String word = colon < 0 ? text : text.substring(0, colon);
        Identity.Kind kind = Arrays.stream(Identity.Kind.values())
                .filter(candidate -> candidate.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(unknown(text, word)));
        if (kind.isNamed() != colon >= 0) {
            throw new IllegalArgumentException(Printable.quoted(text)
                    + (kind.isNamed()
                            ? " needs a name behind it: " + word + ":NAME"
                            : " takes no name; write " + word));
        }
        return kind.isNamed() ? new Identity(kind, name(kind, text)) : Identity.of(kind);
    }

    /**
     * Reads a key.
     *
     * @param texts identities, of which several are a composite: one bucket for each combination; or {@code service}
     *     alone
     * @return the key; {@link Key.Client} where there is no text
     * @throws IllegalArgumentException if a text is no identity, stands twice, or {@code service} does not stand alone;
     *     the message says what would be right
     */
    public Key key(List<String> texts) {
        if (texts.isEmpty()) {
            return new Key.Client();
        }
        if (texts.size() == 1 && texts.get(0).equals(SERVICE)) {
            return new Key.Service();
        }
        if (texts.contains(SERVICE)) {
            throw new IllegalArgumentException(
                    "'service' is one bucket for everybody and stands alone; leave it out or leave out the others");
        }
        return new Key.Composite(identities(texts));
    }

    private List<Identity> identities(List<String> texts) {
        List<Identity> identities = new ArrayList<>(texts.size());
        Set<Identity> seen = new HashSet<>();
        for (String text : texts) {
            Identity identity = identity(text);
            if (!seen.add(identity)) {
                throw new IllegalArgumentException(Printable.quoted(text) + " stands twice; name it once");
            }
            identities.add(identity);
        }
        return identities;
    }

    private static String name(Identity.Kind kind, String text) {
        String name = text.substring(text.indexOf(':') + 1);
        boolean valid = kind == Identity.Kind.ATTRIBUTE
                ? !name.isBlank() && name.equals(name.strip())
                : TOKEN.matcher(name).matches();
        if (!valid) {
            throw new IllegalArgumentException(Printable.quoted(text) + " holds no valid name behind the colon; write "
                    + kind.word() + ":NAME, without blanks");
        }
        return name;
    }

    private static String unknown(String text, String word) {
        if (word.equals(SERVICE)) {
            return Printable.quoted(text) + " is no identity: it stands alone under 'key'; " + choice();
        }
        List<String> words =
                Arrays.stream(Identity.Kind.values()).map(Identity.Kind::word).toList();
        return Printable.quoted(text) + " is no identity" + NearestWord.hint(word, words) + "; " + choice();
    }

    private static String choice() {
        return "identities are "
                + Arrays.stream(Identity.Kind.values())
                        .map(kind -> kind.isNamed() ? kind.word() + ":NAME" : kind.word())
                        .collect(Collectors.joining(", "));
    }
}
