package io.ratelimit.hazelcast;

import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.client.config.XmlClientConfigBuilder;
import com.hazelcast.client.config.YamlClientConfigBuilder;
import com.hazelcast.config.Config;
import com.hazelcast.config.XmlConfigBuilder;
import com.hazelcast.config.YamlConfigBuilder;
import io.ratelimit.core.setting.NamedFile;
import java.io.IOException;
import java.io.InputStream;

/**
 * A file with Hazelcast's own configuration, for whatever our settings have no words for, such as discovery in Kubernetes
 * or by DNS. XML if its name ends so, YAML otherwise.
 *
 * @param setting the setting that names it
 * @param location {@code classpath:NAME}, or a path
 * @param isClient whether it is for a client of a cluster, and not for a member
 * @param namesCluster whether a setting gives the cluster a name, which stands before that of the file
 */
record ConfigurationFile(String setting, String location, boolean isClient, boolean namesCluster) {

    private interface Reader<T> {
        T read(InputStream in);
    }

    /**
     * Reads it for a member.
     *
     * @throws IllegalArgumentException if it cannot be read, or is not valid
     */
    Config member() {
        return read(in -> new XmlConfigBuilder(in).build(), in -> new YamlConfigBuilder(in).build());
    }

    /**
     * Reads it for a client.
     *
     * @throws IllegalArgumentException if it cannot be read, or is not valid
     */
    ClientConfig client() {
        return read(in -> new XmlClientConfigBuilder(in).build(), in -> new YamlClientConfigBuilder(in).build());
    }

    private <T> T read(Reader<T> xml, Reader<T> yaml) {
        try (InputStream in = new NamedFile(location).open(ConfigurationFile.class)) {
            return location.endsWith(".xml") ? xml.read(in) : yaml.read(in);
        } catch (IOException | RuntimeException e) {
            throw new IllegalArgumentException(
                    "setting " + setting + " is '" + location
                            + "': it must be the place of a configuration of Hazelcast,"
                            + " as classpath:NAME or a path; " + e,
                    e);
        }
    }
}
