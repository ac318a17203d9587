package io.ratelimit.jgroups;

import io.ratelimit.core.setting.SettingTexts;
import io.ratelimit.core.wire.SharedSecret;
import io.ratelimit.store.HostGroup;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a host in a group, read from the texts that init-params and flags are.
 *
 * @param cluster the group's name
 * @param transport how messages travel
 * @param topology who tells whom; null for everyone
 * @param search where other hosts are looked for; of no use where JGroups' own configuration is given
 * @param memberPort the first port to try
 * @param memberAddress the address to bind and to be known by
 * @param clusterSecret what the hosts know and nobody else; null for hosts on one machine that need none
 */
record GroupSettings(
        String cluster,
        Transport transport,
        HostGroup.@Nullable Topology topology,
        MemberSearch search,
        int memberPort,
        InetAddress memberAddress,
        @Nullable SharedSecret clusterSecret) {

    private static final String PORT = "memberPort";
    private static final String ADDRESS = "memberAddress";
    private static final String SECRET = "clusterSecret";
    private static final String MESH = "mesh";

    /** The setting that asks for a group. */
    static final String TRANSPORT = "transport";

    static final String MEMBERS = "members";

    static final Set<String> NAMES = Set.of(TRANSPORT, "topology", "cluster", MEMBERS, PORT, ADDRESS, SECRET);

    private static final String DEFAULT_CLUSTER = "ratelimit";
    private static final String DEFAULT_PORT = "7800";
    private static final String DEFAULT_ADDRESS = "127.0.0.1";
    private static final int HIGHEST_PORT = 65_535;

    /** How many ports from the first one on are tried. */
    static final int PORTS = 10;

    /**
     * Reads settings.
     *
     * @throws IllegalArgumentException if a value is not valid; the message names the setting, the value and what would
     *     be right
     */
    static GroupSettings parse(Map<String, String> settings) {
        SettingTexts texts = new SettingTexts(settings);
        Transport transport = transport(texts.text(TRANSPORT, ""));
        InetAddress address = address(texts.text(ADDRESS, DEFAULT_ADDRESS));
        int port = port(texts.text(PORT, DEFAULT_PORT));
        String members = texts.has(MEMBERS) ? texts.text(MEMBERS, "") : null;
        GroupSettings parsed = new GroupSettings(
                texts.text("cluster", DEFAULT_CLUSTER),
                transport,
                topology(texts.text("topology", MESH)),
                search(new MemberSearchGrammar(address, port, PORTS), members),
                port,
                address,
                texts.has(SECRET) ? SharedSecret.of(texts.text(SECRET, "")) : null);
        parsed.check(texts);
        return parsed;
    }

    private void check(SettingTexts texts) {
        if (transport.configuration() != null) {
            for (String place : new String[] {MEMBERS, PORT, ADDRESS}) {
                if (texts.has(place)) {
                    throw SettingTexts.wrong(
                            TRANSPORT,
                            transport.toString(),
                            "it says where hosts are: leave " + place + " out, and write it there");
                }
            }
        } else if (search.multicasts() && !transport.isUdp()) {
            throw SettingTexts.wrong(
                    MEMBERS,
                    texts.text(MEMBERS, ""),
                    "only UDP has multicast: write transport: udp, or list the hosts");
        }
        if (clusterSecret == null && (transport.configuration() != null || !memberAddress.isLoopbackAddress())) {
            throw new IllegalArgumentException(
                    "setting " + SECRET + " is missing: by it, hosts know one another, and keep"
                            + " everyone else in the network out. Give all of them the same one, of 20 random letters or more");
        }
    }

    /** Under which clients' names are hashed: where nobody else can hear, anything that all hosts know will do. */
    SharedSecret nameSecret() {
        return clusterSecret == null ? SharedSecret.of(cluster) : clusterSecret;
    }

    private static Transport transport(String text) {
        return Transport.of(text)
                .orElseThrow(() -> SettingTexts.wrong(
                        TRANSPORT,
                        text,
                        "it must be udp, tcp, or a file with JGroups'"
                                + " own configuration, as classpath:NAME.xml or a path that ends with .xml"));
    }

    private static HostGroup.@Nullable Topology topology(String text) {
        if (text.equals(MESH)) {
            return null;
        }
        for (HostGroup.Topology topology : HostGroup.Topology.values()) {
            if (word(topology).equals(text)) {
                return topology;
            }
        }
        throw SettingTexts.wrong(
                "topology",
                text,
                Stream.of(HostGroup.Topology.values())
                        .map(GroupSettings::word)
                        .collect(Collectors.joining(", ", "it must be one of " + MESH + ", ", "")));
    }

    /** What settings call a topology. */
    static String word(HostGroup.@Nullable Topology topology) {
        return topology == null ? MESH : topology.name().toLowerCase(Locale.ROOT);
    }

    private static MemberSearch search(MemberSearchGrammar grammar, @Nullable String members) {
        if (members != null && members.contains("://") && !members.startsWith(MemberSearchGrammar.JDBC)) {
            // Nothing of what follows, which may be a password.
            throw SettingTexts.wrong(
                    MEMBERS,
                    members.substring(0, members.indexOf("://")) + "://…",
                    "the URL of a database begins with " + MemberSearchGrammar.JDBC
                            + ", and no other one is understood");
        }
        try {
            return grammar.parse(members);
        } catch (IllegalArgumentException e) {
            throw SettingTexts.wrong(MEMBERS, String.valueOf(members), String.valueOf(e.getMessage()));
        }
    }

    private static int port(String text) {
        try {
            int port = Integer.parseInt(text);
            if (port >= 1 && port + PORTS - 1 <= HIGHEST_PORT) {
                return port;
            }
        } catch (NumberFormatException e) {
            // Answered below, like any other number that is no port.
        }
        throw SettingTexts.wrong(
                PORT,
                text,
                "it must be a number between 1 and " + (HIGHEST_PORT - PORTS + 1) + ", the first of " + PORTS
                        + " ports that are tried");
    }

    private static InetAddress address(String text) {
        try {
            InetAddress address = InetAddress.getByName(text);
            if (!address.isLoopbackAddress() && NetworkInterface.getByInetAddress(address) == null) {
                throw SettingTexts.wrong(
                        ADDRESS, text, "it must be an address of this host that the other hosts can reach");
            }
            return address;
        } catch (UnknownHostException | SocketException e) {
            throw SettingTexts.wrong(ADDRESS, text, "it must be an address of this host, such as 10.0.0.5");
        }
    }

    /** Without the secret, and without places, which may hold passwords. */
    @Override
    public String toString() {
        return "group '" + cluster + "' by " + transport + ", " + word(topology);
    }
}
