package io.ratelimit.jgroups;

import io.ratelimit.core.setting.NamedFile;
import io.ratelimit.core.setting.SettingTexts;
import java.io.InputStream;
import org.jgroups.JChannel;
import org.jgroups.protocols.ASYM_ENCRYPT;
import org.jgroups.protocols.SYM_ENCRYPT;
import org.jgroups.protocols.TCP;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.stack.ProtocolStack;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * JGroups' own configuration of a stack, in XML.
 *
 * @param location {@code classpath:NAME}, or a path
 */
record ConfigurationFile(String location) {

    private static final Logger LOG = LoggerFactory.getLogger(ConfigurationFile.class);

    /**
     * A channel as it says.
     *
     * @throws IllegalArgumentException if it cannot be read, or is not valid
     */
    JChannel channel() {
        JChannel channel = read();
        ProtocolStack stack = channel.getProtocolStack();
        if (stack.findProtocol(GMS.class) == null) {
            channel.close();
            throw SettingTexts.wrong(
                    GroupSettings.TRANSPORT,
                    location,
                    "it must have a membership, pbcast.GMS, by which hosts know who is there");
        }
        if (!isSealed(stack)) {
            LOG.warn(
                    "setting {} is '{}', which has neither SYM_ENCRYPT, ASYM_ENCRYPT nor TLS: messages are not sealed, and"
                            + " whoever reaches the port is heard",
                    GroupSettings.TRANSPORT,
                    location);
        }
        return channel;
    }

    private JChannel read() {
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

    private static boolean isSealed(ProtocolStack stack) {
        return stack.findProtocol(SYM_ENCRYPT.class, ASYM_ENCRYPT.class) != null
                || (stack.getTransport() instanceof TCP tcp && tcp.tls().enabled());
    }
}
