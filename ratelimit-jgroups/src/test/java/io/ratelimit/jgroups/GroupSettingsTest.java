package io.ratelimit.jgroups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.ratelimit.TimeSource;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GroupSettingsTest {

    private static GroupSettings parse(String... settings) {
        Map<String, String> all = new TreeMap<>(Map.of("transport", "udp"));
        for (int i = 0; i < settings.length; i += 2) {
            all.put(settings[i], settings[i + 1]);
        }
        return GroupSettings.parse(all);
    }

    @Test
    void oneWordIsEnough() {
        GroupSettings settings = parse();
        assertThat(settings).hasToString("group 'ratelimit' by udp, mesh");
        assertThat(settings.memberPort()).isEqualTo(7_800);
        assertThat(settings.memberAddress().isLoopbackAddress()).isTrue();
        assertThat(settings.search()).isInstanceOf(ListedMembers.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "transport|carrier-pigeon|udp, tcp, or a file",
                "transport||must not be empty",
                "topology|star|mesh, gossip, leader",
                "memberPort|65530|between 1 and 65526",
                "memberPort|a|between 1 and 65526",
                "memberAddress|192.0.2.9|an address of this host",
                "members|a b|HOST:PORT or HOST",
                "members|10.0.0.5:99999|HOST:PORT or HOST",
                "members|10.0.0.5,,|HOST:PORT or HOST",
                "members|10.0.0.1:7800;10.0.0.2:7800|HOST:PORT or HOST",
                "members|10.0.0.1:7800 10.0.0.2:7800|HOST:PORT or HOST",
                "members|dns:limiter.internal:7800|HOST:PORT or HOST",
                "members|multicast:10.0.0.5:1|multicast address",
                "members|file:|a directory",
                "cluster||must not be empty",
            })
    void aWrongValueIsNamed(String name, String value, String right) {
        String text = value == null ? "" : value;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse(name, text))
                .withMessageContaining("setting " + name + " is '" + text + "'")
                .withMessageContaining(right);
    }

    @Test
    void multicastNeedsUdp() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse("transport", "tcp", "members", "multicast"))
                .withMessageContaining("setting members is 'multicast'")
                .withMessageContaining("transport: udp");
    }

    @Test
    void beyondOneMachineASecretIsNeeded() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse("transport", "classpath:stack.xml"))
                .withMessageContaining("setting clusterSecret is missing");
        assertThat(parse("transport", "classpath:stack.xml", "clusterSecret", "x")
                        .clusterSecret())
                .isNotNull();
    }

    @Test
    void aFileSaysWhereHostsAre() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse("transport", "stack.xml", "clusterSecret", "x", "memberPort", "7800"))
                .withMessageContaining("setting transport is 'stack.xml'")
                .withMessageContaining("leave memberPort out");
    }

    @Test
    void aTableNeedsADriver() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new JGroupsBucketStoreFactory()
                        .create(
                                Map.of("transport", "udp", "members", "jdbc:none:x?password=hush"),
                                TimeSource.system()))
                .withMessageContaining("setting members names a database")
                .withMessageNotContaining("hush");
    }

    @Test
    void aURLThatIsNotOfJdbcIsNotShown() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse("members", "postgresql://db/orders?user=x&password=hush"))
                .withMessageContaining("setting members is 'postgresql://…'")
                .withMessageContaining("jdbc:")
                .withMessageNotContaining("hush");
    }

    @Test
    void secretsAreNotShown() {
        assertThat(parse("clusterSecret", "hush", "members", "jdbc:x:y?password=hush")
                        .toString())
                .doesNotContain("hush");
    }
}
