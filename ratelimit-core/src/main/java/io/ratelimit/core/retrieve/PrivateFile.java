package io.ratelimit.core.retrieve;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file of this process's user alone, safe to keep where other users may write too, as in {@code /tmp}: no link is
 * followed, nothing that belongs to somebody else or that somebody else may write is read or replaced, and the file is
 * replaced as a whole.
 */
final class PrivateFile {

    private final Path path;
    private final boolean ownDirectory;

    /**
     * @param path the file
     * @param ownDirectory whether its directory is made if it is missing, and must be the user's alone
     */
    PrivateFile(Path path, boolean ownDirectory) {
        this.path = path.toAbsolutePath();
        this.ownDirectory = ownDirectory;
    }

    Path path() {
        return path;
    }

    /** Reads the file; empty if there is none. */
    Optional<byte[]> read(int limit) throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        UserPrincipal self = self();
        requireOwnDirectory(self);
        Object before = requireOwnFile(self);
        byte[] bytes;
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
                InputStream in = Channels.newInputStream(channel)) {
            bytes = in.readNBytes(limit + 1);
        }
        if (bytes.length > limit) {
            throw new IOException(path + ": is larger than anything that was written there");
        }
        if (!Objects.equals(before, requireOwnFile(self))) {
            throw new IOException(path + ": was replaced while it was read");
        }
        return Optional.of(bytes);
    }

    /** Replaces the file as a whole. */
    void write(byte[] bytes) throws IOException {
        makeOwnDirectory();
        Path temporary = createTemporary();
        try {
            UserPrincipal self = Files.getOwner(temporary, LinkOption.NOFOLLOW_LINKS);
            requireOwnDirectory(self);
            if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                requireOwnFile(self);
            }
            try (FileChannel channel =
                    FileChannel.open(temporary, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
                ByteBuffer buffer = ByteBuffer.wrap(bytes);
                while (buffer.hasRemaining()) {
                    channel.write(buffer);
                }
                channel.force(true);
            }
            Files.move(temporary, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    private Path directory() {
        return Objects.requireNonNull(path.getParent(), "an absolute path of a file has a parent");
    }

    private void makeOwnDirectory() throws IOException {
        if (ownDirectory) {
            try {
                Files.createDirectory(directory(), permissions("rwx------"));
            } catch (FileAlreadyExistsException | NoSuchFileException e) {
                // Whose it is, is checked before it is used; whether it is there, now.
            }
        }
        if (!Files.isDirectory(directory())) {
            throw new IOException(directory() + ": is not a directory: create it, or name another file");
        }
    }

    /** The name is unforeseeable and the file is made anew, so that no link planted before is followed. */
    private Path createTemporary() throws IOException {
        return Files.createTempFile(directory(), ".ratelimit-", ".tmp", permissions("rw-------"));
    }

    private FileAttribute<?>[] permissions(String permissions) {
        return directory().getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    /** Asks the file system, for the user's name may be unknown in a container. */
    private UserPrincipal self() throws IOException {
        Path probe;
        try {
            probe = createTemporary();
        } catch (IOException e) {
            return directory()
                    .getFileSystem()
                    .getUserPrincipalLookupService()
                    .lookupPrincipalByName(System.getProperty("user.name"));
        }
        try {
            return Files.getOwner(probe, LinkOption.NOFOLLOW_LINKS);
        } finally {
            Files.deleteIfExists(probe);
        }
    }

    private void requireOwnDirectory(UserPrincipal self) throws IOException {
        if (!ownDirectory) {
            return;
        }
        Path directory = directory();
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(directory + ": is a link or not a directory: remove it, or name another file");
        }
        requireOwn(directory, self);
    }

    /** Returns what tells the file from another one at the same path. */
    private @Nullable Object requireOwnFile(UserPrincipal self) throws IOException {
        BasicFileAttributes attributes;
        try {
            attributes = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            throw new IOException(path + ": was removed while it was looked at", e);
        }
        if (!attributes.isRegularFile()) {
            throw new IOException(path + ": is a link or not a regular file: remove it, or name another file");
        }
        requireOwn(path, self);
        return attributes.fileKey();
    }

    private static void requireOwn(Path file, UserPrincipal self) throws IOException {
        UserPrincipal owner = Files.getOwner(file, LinkOption.NOFOLLOW_LINKS);
        if (!owner.equals(self)) {
            throw new IOException(file + ": belongs to " + owner.getName() + ", not to " + self.getName()
                    + ": remove it, or name another file");
        }
        PosixFileAttributeView view =
                Files.getFileAttributeView(file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        if (view == null) {
            return;
        }
        Set<PosixFilePermission> permissions = view.readAttributes().permissions();
        if (permissions.contains(PosixFilePermission.GROUP_WRITE)
                || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new IOException(
                    file + ": may be written by other users (" + PosixFilePermissions.toString(permissions)
                            + "): take that permission away, or name another file");
        }
    }
}
