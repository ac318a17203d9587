package io.ratelimit.server.envoy.descriptor;

import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import io.ratelimit.core.retrieve.RegularFile;
import io.ratelimit.core.rules.RulesParser;
import io.ratelimit.rules.RulesDocument;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** One file, or the files of a directory whose names end in {@code .yaml} or {@code .yml}. Links are followed. */
public final class DescriptorFiles {

    private static final int MOST_FILES = 1_000;

    /** Of all files together, in bytes: they are read at each look. */
    private static final long MOST_BYTES = 4L * RulesParser.MOST_BYTES;

    private final Path place;

    /**
     * Names the place.
     *
     * @param place a file or a directory
     */
    public DescriptorFiles(Path place) {
        this.place = place.toAbsolutePath();
    }

    /**
     * What one look found.
     *
     * @param files the files in the order of their names
     * @param digest the same for the same names and contents
     * @param modifiedMillis when the last one was written, in milliseconds of the epoch
     */
    public record Look(List<RulesDocument> files, String digest, long modifiedMillis) {}

    /**
     * Reads the files.
     *
     * @return what is there
     * @throws IOException if a file cannot be read, there is none, or they are too many or too large; the message names the
     *     place and says what would help
     */
    public Look look() throws IOException {
        List<RulesDocument> files = new ArrayList<>();
        Hasher hasher = Hashing.sha256().newHasher();
        long modifiedMillis = 0;
        long left = MOST_BYTES;
        for (Path path : paths()) {
            RulesDocument file = read(path, left);
            left -= file.content().length;
            modifiedMillis = Math.max(modifiedMillis, file.version());
            hasher.putString(path.toString(), StandardCharsets.UTF_8)
                    .putInt(file.content().length)
                    .putBytes(file.content());
            files.add(file);
        }
        return new Look(List.copyOf(files), hasher.hash().toString(), modifiedMillis);
    }

    @Override
    public String toString() {
        return place.toString();
    }

    private List<Path> paths() throws IOException {
        if (!Files.isDirectory(place)) {
            return List.of(place);
        }
        List<Path> found;
        try (Stream<Path> entries = Files.list(place)) {
            found = entries.filter(DescriptorFiles::isDescriptorFile)
                    .limit(MOST_FILES + 1L)
                    .sorted()
                    .toList();
        } catch (FileSystemException e) {
            throw file(place).inWords(e);
        }
        if (found.isEmpty()) {
            throw new IOException(
                    place + ": has no file whose name ends in .yaml or .yml: put one there, or correct the"
                            + " location of the descriptors");
        }
        if (found.size() > MOST_FILES) {
            throw new IOException(place + ": has more than " + MOST_FILES + " descriptor files: check the location");
        }
        return found;
    }

    /** Hidden files are the backstage of editors and of mounted configuration. */
    private static boolean isDescriptorFile(Path path) {
        String name = path.getFileName().toString().toLowerCase(Locale.ROOT);
        return !name.startsWith(".") && (name.endsWith(".yaml") || name.endsWith(".yml")) && !Files.isDirectory(path);
    }

    private static RulesDocument read(Path path, long left) throws IOException {
        RegularFile file = file(path);
        try {
            RegularFile.Look look = file.look();
            byte[] content = look.content();
            if (content.length > left) {
                throw new IOException(path + ": makes the descriptor files larger than " + (MOST_BYTES >> 20)
                        + " MiB together: check the location");
            }
            return new RulesDocument(path.toString(), content, "", look.modifiedMillis());
        } catch (FileSystemException e) {
            throw file.inWords(e);
        }
    }

    private static RegularFile file(Path path) {
        return new RegularFile(path, "descriptor file", "descriptors");
    }
}
