package io.ratelimit.server.daemon;

import io.ratelimit.server.listen.ServerStartException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The file of a Unix domain socket. The socket is made in a directory that nobody else may enter, and shown once it is
 * guarded, so that there is no moment in which everybody may connect. Used by one thread at a time.
 */
final class UnixSocket {

    /** What the system's address has room for. */
    private static final int LONGEST_PATH = 107;

    private static final int NAME_BYTES = 4;

    private final Path path;
    private final Path room;
    private @Nullable Object ownFile;

    /**
     * Names a socket, and touches nothing yet.
     *
     * @param path where it is to be
     */
    UnixSocket(Path path) {
        this.path = path;
        byte[] name = new byte[NAME_BYTES];
        new SecureRandom().nextBytes(name);
        this.room = path.resolveSibling("." + HexFormat.of().formatHex(name));
    }

    /**
     * Makes room for the socket: takes away one that nobody listens at any more, as a killed process leaves it.
     *
     * @throws ServerStartException if something else is there
     */
    void clear() {
        requireShort(path, "the path");
        requireShort(hidden(), "the path of its directory, with the 11 bytes of a name that it has for a moment,");
        if (!Files.isDirectory(path.toAbsolutePath().resolveSibling(""))) {
            throw cannot("there is no such directory; make it, or name another file", null);
        }
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try {
            if (!attributes(path).isOther()) {
                throw cannot("there is a file that is no socket; name another", null);
            }
            if (isHeard()) {
                throw cannot("another process listens there; stop it, or name another file", null);
            }
            Files.delete(path);
        } catch (IOException e) {
            throw cannot(String.valueOf(e), e);
        }
    }

    private void requireShort(Path place, String what) {
        if (place.toString().getBytes(StandardCharsets.UTF_8).length > LONGEST_PATH) {
            throw cannot(what + " is longer than " + LONGEST_PATH + " bytes; name a shorter one", null);
        }
    }

    /** Only a connection that is refused shows that there is nobody: one that may not be tried shows nothing. */
    private boolean isHeard() throws IOException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            return channel.connect(UnixDomainSocketAddress.of(path));
        } catch (ConnectException e) {
            return false;
        }
    }

    private Path hidden() {
        return room.resolve("s");
    }

    /** A place for the socket that nobody but the owner of this process can reach. */
    Path hide() {
        try {
            Files.createDirectory(
                    room, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (IOException | UnsupportedOperationException e) {
            throw cannot("no socket can be made in its directory (" + e + ")", e);
        }
        return hidden();
    }

    /**
     * Puts the socket where it is to be: the owner and the group of this process may connect from now on, and nobody else.
     *
     * @throws ServerStartException if something has come to be there meanwhile, or it is not possible
     */
    void show() {
        clear();
        try {
            Files.setPosixFilePermissions(hidden(), PosixFilePermissions.fromString("rw-rw----"));
            ownFile = attributes(hidden()).fileKey();
            Files.move(hidden(), path);
        } catch (IOException | UnsupportedOperationException e) {
            throw cannot("the socket cannot be put there (" + e + ")", e);
        }
        leaveRoom();
    }

    /** Takes the file away, which the system leaves, unless another process has put its own there meanwhile. */
    void remove() {
        try {
            if (ownFile != null && ownFile.equals(attributes(path).fileKey())) {
                Files.delete(path);
            }
        } catch (IOException e) {
            // It is gone, or the next start takes it away.
        }
        leaveRoom();
    }

    private void leaveRoom() {
        try {
            Files.deleteIfExists(hidden());
            Files.deleteIfExists(room);
        } catch (IOException e) {
            // An empty directory harms nobody.
        }
    }

    private static BasicFileAttributes attributes(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    ServerStartException cannot(String why, @Nullable Exception cause) {
        return new ServerStartException("--unix-socket " + path + ": " + why, cause);
    }
}
