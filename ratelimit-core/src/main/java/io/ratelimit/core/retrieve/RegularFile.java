package io.ratelimit.core.retrieve;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A file of configuration that is read as a whole: a regular one of at most 4 MiB. Links are followed, and may lead to
 * another file at each look. Immutable and thread-safe.
 */
public final class RegularFile {

    private final Path path;
    private final String kind;
    private final String content;

    /**
     * Names a file, which need not be there.
     *
     * @param path where it is
     * @param kind what messages call such a file, such as {@code rules file}
     * @param content what messages call the things in it, such as {@code rules}
     */
    public RegularFile(Path path, String kind, String content) {
        // Not normalized: where a directory is a link, ".." leads elsewhere than its text says.
        this.path = path.toAbsolutePath();
        this.kind = kind;
        this.content = content;
    }

    Path path() {
        return path;
    }

    /**
     * Reads the file. Never waits for the writer of a pipe.
     *
     * @return what is in it
     * @throws FileSystemException if it is not there or may not be read; {@link #inWords} says what would help
     * @throws IOException if it is no regular file, is too large, or the thread was interrupted meanwhile
     */
    public Look look() throws IOException {
        // Before the file is opened: opening a pipe would wait for its writer.
        stamp();
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
                InputStream in = Channels.newInputStream(channel)) {
            byte[] bytes = in.readNBytes(ContentLimit.BYTES + 1);
            if (bytes.length > ContentLimit.BYTES) {
                throw tooLarge();
            }
            return new Look(stamp(), bytes);
        }
    }

    Stamp stamp() throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
        if (attributes.isDirectory()) {
            throw new IOException(path + ": is a directory: name the " + kind + " in it");
        }
        if (!attributes.isRegularFile()) {
            throw new IOException(
                    path + ": is a pipe, a device or a socket: " + content + " are read from regular files only");
        }
        if (attributes.size() > ContentLimit.BYTES) {
            throw tooLarge();
        }
        return new Stamp(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
    }

    private IOException tooLarge() {
        return ContentLimit.exceeded(path.toString(), kind);
    }

    /**
     * Says why a file or its directory cannot be read, and what would help.
     *
     * @param failure what the file system says
     * @return the same, with a message that names the file
     */
    public IOException inWords(FileSystemException failure) {
        if (failure instanceof NoSuchFileException) {
            return new IOException(
                    path + ": does not exist: create the file, or correct the location of the " + content, failure);
        }
        if (failure instanceof AccessDeniedException) {
            return new IOException(
                    path + ": access is denied: let the user of this process (" + System.getProperty("user.name")
                            + ") read the file and pass its directories",
                    failure);
        }
        return new IOException(
                path + ": cannot be read: " + failure.getReason() + ": correct the location of the " + content,
                failure);
    }

    /** What can be told without reading. */
    record Stamp(FileTime modified, long size, @Nullable Object fileKey) {}

    /** What one look found. */
    public static final class Look {

        private final Stamp stamp;
        private final byte[] content;

        private Look(Stamp stamp, byte[] content) {
            this.stamp = stamp;
            this.content = content;
        }

        Stamp stamp() {
            return stamp;
        }

        /**
         * The file's bytes.
         *
         * @return a copy
         */
        public byte[] content() {
            return Arrays.copyOf(content, content.length);
        }

        /**
         * When the file was written.
         *
         * @return milliseconds of the epoch
         */
        public long modifiedMillis() {
            return stamp.modified.toMillis();
        }

        boolean holds(byte[] bytes) {
            return Arrays.equals(content, bytes);
        }

        boolean sameAs(Look other) {
            return stamp.equals(other.stamp) && Arrays.equals(content, other.content);
        }
    }
}
