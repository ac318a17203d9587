package io.ratelimit.hazelcast;

import io.ratelimit.core.setting.SettingTexts;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an embedded member, read from the texts that init-params and flags are.
 *
 * @param cluster the cluster's name
 * @param members where other members are looked for: {@code HOST:PORT} or {@code HOST}
 * @param membersGiven whether a setting says so
 * @param memberPort the first port to try
 * @param memberAddress the address to bind and to be known by
 * @param clusterSecret the secret, or null for one that the cluster makes
 * @param configuration Hazelcast's own configuration, or null for one that is made of the other settings
 */
record MemberSettings(
        String cluster,
        List<String> members,
        boolean membersGiven,
        int memberPort,
        String memberAddress,
        @Nullable String clusterSecret,
        @Nullable ConfigurationFile configuration) {

    private static final Set<String> PLACES = Set.of("members", "memberPort", "memberAddress");
    private static final String MEMBER_FILE = "hazelcastConfig";
    private static final String CLIENT_FILE = "hazelcastClientConfig";

    static final Set<String> NAMES =
            Set.of("cluster", "members", "memberPort", "memberAddress", "clusterSecret", MEMBER_FILE, CLIENT_FILE);

    private static final String DEFAULT_CLUSTER = "ratelimit";
    private static final String DEFAULT_PORT = "5701";
    private static final String DEFAULT_ADDRESS = "127.0.0.1";
    private static final int PORTS_TO_TRY = 10;
    private static final int HIGHEST_PORT = 65_535;

    MemberSettings {
        members = List.copyOf(members);
    }

    /**
     * Reads settings.
     *
     * @throws IllegalArgumentException if a value is not valid; the message names the setting, the value and what would
     *     be right
     */
    static MemberSettings parse(Map<String, String> settings) {
        SettingTexts texts = new SettingTexts(settings);
        String cluster = texts.text("cluster", DEFAULT_CLUSTER);
        String address = localAddress(texts.text("memberAddress", DEFAULT_ADDRESS));
        int port = port("memberPort", texts.text("memberPort", DEFAULT_PORT));
        String members = settings.get("members");
        String secret = texts.has("clusterSecret") ? texts.text("clusterSecret", "") : null;
        return new MemberSettings(
                cluster,
                members == null ? neighbours(address, port) : readMembers(members),
                members != null,
                port,
                address,
                secret,
                configuration(texts));
    }

    /** Hazelcast's own configuration, if it is given; it says where members are, and nothing else may. */
    private static @Nullable ConfigurationFile configuration(SettingTexts texts) {
        boolean client = texts.has(CLIENT_FILE);
        if (!client && !texts.has(MEMBER_FILE)) {
            return null;
        }
        String name = client ? CLIENT_FILE : MEMBER_FILE;
        String location = texts.text(name, "");
        if (client && texts.has(MEMBER_FILE)) {
            throw SettingTexts.wrong(
                    name, location, "a host is a client or a member: leave " + MEMBER_FILE + " out, or this");
        }
        for (String place : PLACES) {
            if (texts.has(place)) {
                throw SettingTexts.wrong(
                        name, location, "it says where members are: leave " + place + " out, and write it there");
            }
        }
        return new ConfigurationFile(name, location, client, texts.has("cluster"));
    }

    /** How many ports from the first one on are tried. */
    int portCount() {
        return countOfPorts(memberPort);
    }

    int lastPort() {
        return memberPort + portCount() - 1;
    }

    private static int countOfPorts(int first) {
        return Math.min(PORTS_TO_TRY, HIGHEST_PORT - first + 1);
    }

    private static List<String> neighbours(String address, int port) {
        List<String> members = new ArrayList<>();
        for (int i = 0; i < countOfPorts(port); i++) {
            members.add(hostAndPort(address, port + i));
        }
        return members;
    }

    static String hostAndPort(String host, int port) {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    private static List<String> readMembers(String text) {
        List<String> members = new ArrayList<>();
        for (String member : text.split(",", -1)) {
            members.add(readMember(member.strip(), text));
        }
        return members;
    }

    private static String readMember(String member, String all) {
        int bracket = member.lastIndexOf(']');
        int colon = member.indexOf(':', Math.max(bracket, 0));
        String host = colon < 0 ? member : member.substring(0, colon);
        boolean literal = host.startsWith("[") && host.endsWith("]") && host.length() > 2;
        if (!literal && !host.matches("[A-Za-z0-9._-]+")) {
            throw SettingTexts.wrong(
                    "members",
                    all,
                    "'" + member + "' is not HOST:PORT or HOST; write members as a list with commas"
                            + " between them, such as 10.0.0.5:5701, 10.0.0.6:5701, and IPv6 as [2001:db8::5]:5701");
        }
        if (colon >= 0) {
            try {
                port("members", member.substring(colon + 1));
            } catch (IllegalArgumentException e) {
                throw SettingTexts.wrong(
                        "members", all, "the port of '" + member + "' must be a number between 1 and " + HIGHEST_PORT);
            }
        }
        return member;
    }

    private static int port(String name, String text) {
        try {
            int port = Integer.parseInt(text);
            if (port >= 1 && port <= HIGHEST_PORT) {
                return port;
            }
        } catch (NumberFormatException e) {
            // Answered below, like any other number that is no port.
        }
        throw SettingTexts.wrong(name, text, "it must be a number between 1 and " + HIGHEST_PORT);
    }

    private static String localAddress(String text) {
        try {
            InetAddress address = InetAddress.getByName(text);
            if (NetworkInterface.getByInetAddress(address) == null) {
                throw SettingTexts.wrong(
                        "memberAddress", text, "it must be an address of this host that the other members can reach");
            }
            return address.getHostAddress();
        } catch (UnknownHostException | SocketException e) {
            throw SettingTexts.wrong("memberAddress", text, "it must be an address of this host, such as 10.0.0.5");
        }
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return "cluster '" + cluster + "' at " + hostAndPort(memberAddress, memberPort);
    }
}
