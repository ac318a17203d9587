package io.ratelimit.jgroups;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jgroups.protocols.Discovery;
import org.jgroups.protocols.FILE_PING;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hosts that write where they are into files of a directory that all of them have.
 *
 * @param directory where
 */
record DirectorySearch(String directory) implements MemberSearch {

    private static final Logger LOG = LoggerFactory.getLogger(DirectorySearch.class);

    @Override
    public Discovery protocol() {
        if (!Files.isDirectory(Path.of(directory))) {
            LOG.warn(
                    "setting members names the directory {}, which is not there and is made now: hosts find one another"
                            + " only in a directory that all of them have",
                    Path.of(directory).toAbsolutePath());
        }
        FILE_PING files = new FILE_PING();
        files.setLocation(directory);
        return files;
    }
}
