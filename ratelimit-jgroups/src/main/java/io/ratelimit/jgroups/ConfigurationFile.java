package io.ratelimit.jgroups;

import io.ratelimit.core.setting.NamedFile;
import java.io.InputStream;
import org.jgroups.JChannel;

/**
 * JGroups' own configuration of a stack, in XML.
 *
 * @param location {@code classpath:NAME}, or a path
 */
record ConfigurationFile(String location) {

    /**
     * A channel as it says.
     *
     * @throws IllegalArgumentException if it cannot be read, or is not valid
     */
    JChannel channel() {
        try (InputStream in = new NamedFile(location).open(ConfigurationFile.class)) {
            return new JChannel(in);
        } catch (Exception e) {
            throw new IllegalArgumentException(
                    "setting " + GroupSettings.TRANSPORT + " is '" + location
                            + "': it must be the place of a configuration of JGroups, as classpath:NAME.xml or a path; "
                            + e,
                    e);
        }
    }
}
