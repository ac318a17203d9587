package io.ratelimit.jgroups;

import org.jgroups.protocols.Discovery;
import org.jgroups.protocols.FILE_PING;

/**
 * Hosts that write where they are into files of a directory that all of them have.
 *
 * @param directory where
 */
record DirectorySearch(String directory) implements MemberSearch {

    @Override
    public Discovery protocol() {
        FILE_PING files = new FILE_PING();
        files.setLocation(directory);
        return files;
    }
}
