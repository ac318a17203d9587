package io.ratelimit.core.retrieve;

import com.google.common.hash.Hashing;
import io.ratelimit.rules.RulesDocument;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The last good rules of a source, kept on disk so that a host can start while its rules service is away. A few lines
 * of text, an empty line, the document; the first line is a SHA-256 checksum of all that follows it.
 *
 * <p>Rules decide who is let through, and temporary directories are everybody's: the file is written readable for its
 * owner only and replaced as a whole, no link is followed, and a file that belongs to another user or that other users
 * may write is neither read nor replaced. The default file is in a directory of the user's own.
 */
public final class LastGoodFile {

    private static final String CHECKSUM = "ratelimit-last-good-1 sha256 ";
    private static final int HEADER_BYTES = 64 << 10;

    private final PrivateFile file;

    private LastGoodFile(PrivateFile file) {
        this.file = file;
    }

    /**
     * Keeps the rules in a file.
     *
     * @param path the file; its directory must exist
     * @return the last good file
     */
    public static LastGoodFile at(Path path) {
        return new LastGoodFile(new PrivateFile(path, false));
    }

    /**
     * Keeps the rules in the temporary directory ({@code java.io.tmpdir}), in a directory of this user alone, under a
     * name made from the location.
     *
     * @param location the source's location, without credentials (see
     *     {@link io.ratelimit.rules.RulesSource#location()})
     * @return the last good file
     */
    public static LastGoodFile inTemporaryDirectory(String location) {
        return in(Path.of(System.getProperty("java.io.tmpdir", "/tmp")), location);
    }

    static LastGoodFile in(Path temporaryDirectory, String location) {
        Path directory = temporaryDirectory.resolve("ratelimit-" + nameOf(System.getProperty("user.name", "")));
        String readable = nameOf(location.replaceFirst("^[a-z]+://", ""));
        String hash = Hashing.sha256()
                .hashString(location, StandardCharsets.UTF_8)
                .toString()
                .substring(0, 16);
        String name = readable.substring(0, Math.min(80, readable.length())) + "-" + hash + ".lastgood";
        return new LastGoodFile(new PrivateFile(directory.resolve(name), true));
    }

    /**
     * Where the rules are kept.
     *
     * @return the absolute path
     */
    public Path path() {
        return file.path();
    }

    /** Reads the rules kept for a location; empty if there are none. */
    Optional<Kept> load(String location) throws IOException {
        Optional<byte[]> bytes = file.read(HEADER_BYTES + ContentLimit.BYTES);
        return bytes.isPresent() ? Optional.of(decode(bytes.get(), location)) : Optional.empty();
    }

    void save(RulesDocument document, Instant now) throws IOException {
        file.write(encode(document, now));
    }

    private byte[] encode(RulesDocument document, Instant now) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        String name = document.versionName();
        body.writeBytes(("location " + oneLine(document.location()) + "\ntag " + oneLine(document.tag()) + "\nversion "
                        + document.version() + (name == null ? "" : "\nname " + oneLine(name)) + "\nsaved " + now
                        + "\n\n")
                .getBytes(StandardCharsets.UTF_8));
        body.writeBytes(document.content());
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(
                (CHECKSUM + Hashing.sha256().hashBytes(body.toByteArray()) + "\n").getBytes(StandardCharsets.UTF_8));
        all.writeBytes(body.toByteArray());
        return all.toByteArray();
    }

    private Kept decode(byte[] bytes, String location) throws IOException {
        int firstLine = CHECKSUM.length() + 64;
        if (bytes.length <= firstLine) {
            throw damaged("it is too short");
        }
        byte[] body = Arrays.copyOfRange(bytes, firstLine + 1, bytes.length);
        String expected = CHECKSUM + Hashing.sha256().hashBytes(body);
        if (!expected.equals(new String(bytes, 0, firstLine, StandardCharsets.UTF_8))) {
            throw damaged("its checksum is wrong");
        }
        int end = endOfHeader(body);
        Map<String, String> header = header(new String(body, 0, end, StandardCharsets.UTF_8));
        if (!oneLine(location).equals(header.get("location"))) {
            throw new IOException(path() + ": holds rules of " + header.get("location") + ", not of " + location
                    + ": name a file for each location");
        }
        try {
            byte[] content = Arrays.copyOfRange(body, end + 2, body.length);
            long version = Long.parseLong(header.getOrDefault("version", ""));
            Instant saved = Instant.parse(header.getOrDefault("saved", ""));
            String tag = header.getOrDefault("tag", "");
            return new Kept(new RulesDocument(location, content, tag, version, header.get("name")), saved);
        } catch (NumberFormatException | DateTimeException e) {
            throw damaged("its version or date is not one");
        }
    }

    private int endOfHeader(byte[] body) throws IOException {
        for (int i = 0; i + 1 < body.length; i++) {
            if (body[i] == '\n' && body[i + 1] == '\n') {
                return i;
            }
        }
        throw damaged("its head has no end");
    }

    private static Map<String, String> header(String text) {
        Map<String, String> header = new LinkedHashMap<>();
        text.lines().forEach(line -> {
            int blank = line.indexOf(' ');
            if (blank > 0) {
                header.put(line.substring(0, blank), line.substring(blank + 1));
            }
        });
        return header;
    }

    private IOException damaged(String why) {
        return new IOException(path() + ": is damaged (" + why + "): it is replaced as soon as the source gives rules");
    }

    private static String oneLine(String text) {
        return text.replaceAll("\\p{Cntrl}", " ");
    }

    private static String nameOf(String text) {
        return text.replaceAll("[^A-Za-z0-9.-]+", "_");
    }

    /**
     * Rules that were good at an earlier time.
     *
     * @param document the document as its source gave it
     * @param saved when it was accepted
     */
    record Kept(RulesDocument document, Instant saved) {}
}
