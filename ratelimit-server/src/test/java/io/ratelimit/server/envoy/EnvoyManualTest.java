package io.ratelimit.server.envoy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.util.JsonFormat;
import io.envoyproxy.envoy.config.bootstrap.v3.Bootstrap;
import io.envoyproxy.envoy.extensions.filters.http.ratelimit.v3.RateLimit;
import io.envoyproxy.envoy.extensions.filters.http.router.v3.Router;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.upstreams.http.v3.HttpProtocolOptions;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.ratelimit.rules.RulesException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** What the manual's page of Envoy shows. */
class EnvoyManualTest {

    private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

    private static List<String> examples() throws Exception {
        return YAML.matcher(Files.readString(Path.of("../docs/envoy.md")))
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
    }

    @Test
    void itsDescriptorsLimitWhatItSays() throws Exception {
        try (RunningEnvoyService service =
                RunningEnvoyService.setup().descriptors(examples().get(0)).start()) {
            assertThat(service.told("shop", "remote_address=192.0.2.7", "user=alice"))
                    .isEqualTo("OK ok:599 ok:59");
            assertThat(service.told("shop", "user=nightly-export")).isEqualTo("OK ok");
        }
    }

    @Test
    void itsMistakesAreToldAsItSays() throws Exception {
        String wrong = examples()
                .get(0)
                .replace("unit: minute, requests_per_unit: 600", "unit: minuet, requests_per_unit: 600")
                .replace("requests_per_unit: 60 }", "requests_per_unit: -60 }");
        try (RunningEnvoyService service = RunningEnvoyService.setup().start()) {
            String manual = Files.readString(Path.of("../docs/envoy.md"));

            assertThatThrownBy(() -> service.enforce(wrong))
                    .cause()
                    .isInstanceOfSatisfying(
                            RulesException.class,
                            refused -> assertThat(refused.problems())
                                    .hasSize(2)
                                    .allSatisfy(problem -> assertThat(manual).contains("/tmp/descriptors/" + problem)));
        }
    }

    @Test
    void itsEnvoyIsConfiguredByEnvoysMessages() throws Exception {
        Object yaml = new Load(LoadSettings.builder().build())
                .loadFromString(examples().get(1));
        Bootstrap.Builder bootstrap = Bootstrap.newBuilder();

        JsonFormat.parser()
                .usingTypeRegistry(JsonFormat.TypeRegistry.newBuilder()
                        .add(HttpConnectionManager.getDescriptor())
                        .add(RateLimit.getDescriptor())
                        .add(Router.getDescriptor())
                        .add(HttpProtocolOptions.getDescriptor())
                        .build())
                .merge(new ObjectMapper().writeValueAsString(yaml), bootstrap);

        assertThat(bootstrap.getStaticResources().getClustersList())
                .extracting(cluster -> cluster.getName())
                .containsExactly("ratelimit", "shop");
    }

    @Test
    void itsQuestionByHandIsOneThatIsAnswered() throws Exception {
        String question = Pattern.compile("grpcurl -plaintext -d '([^']+)'")
                .matcher(Files.readString(Path.of("../docs/envoy.md")))
                .results()
                .map(found -> found.group(1))
                .findFirst()
                .orElseThrow();
        RateLimitRequest.Builder request = RateLimitRequest.newBuilder();
        JsonFormat.parser().merge(question, request);

        try (RunningEnvoyService service =
                RunningEnvoyService.setup().descriptors(examples().get(0)).start()) {
            assertThat(RunningEnvoyService.told(service.ask(request))).isEqualTo("OK ok:59");
        }
    }

    @Test
    void itsExplanationIsWhatOperatorsRead() throws Exception {
        try (RunningEnvoyService service =
                RunningEnvoyService.setup().descriptors(examples().get(0)).start()) {
            service.ask("shop", "user=alice");

            assertThat(Files.readString(Path.of("../docs/envoy.md")))
                    .contains(service.explain("shop", "user=alice", "usr=bob"));
        }
    }

    @Test
    void itsRulesLimitWhatItSays() throws Exception {
        try (RunningEnvoyService service =
                RunningEnvoyService.setup().rules(examples().get(2)).start()) {
            assertThat(service.told("shop", "method=POST,path=/login?next=/,user=alice"))
                    .isEqualTo("OK ok:4");
        }
    }
}
