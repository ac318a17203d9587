package io.ratelimit.core;

import static io.ratelimit.core.TestRequest.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.AttributeResolver;
import io.ratelimit.CostResolver;
import io.ratelimit.IdentityVerifier;
import io.ratelimit.RequestContext;
import io.ratelimit.rules.Identity;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Extensions on the class path. */
class ExtensionDiscoveryTest {

    private static final String RULES = """
            clients: ["header:X-Api-Key", ip]
            costs: [{ path: /search, resolver: page-size }]
            rules:
              - name: all
                limits: [100/h]
                overrides: [{ when: { attributes: { tier: gold } }, limits: [1000/h] }]
            """;

    @TempDir
    private Path directory;

    private void provide(Class<?> service, String... providers) throws IOException {
        Path services = Files.createDirectories(directory.resolve("META-INF/services"));
        Files.write(services.resolve(service.getName()), List.of(providers));
    }

    private URLClassLoader loader() throws IOException {
        return new URLClassLoader(
                new URL[] {directory.toUri().toURL()}, getClass().getClassLoader());
    }

    @Test
    void extensionsAreFoundThroughTheBuildersClassLoader() throws Exception {
        provide(AttributeResolver.class, Gold.class.getName());
        provide(CostResolver.class, PageSize.class.getName());
        provide(IdentityVerifier.class, NoKeys.class.getName());
        try (URLClassLoader loader = loader();
                ExtendedEngine engine = new ExtendedEngine(RULES, builder -> builder.classLoader(loader))) {
            assertThat(engine.left(get("/search").query("size=50").header("X-Api-Key", "one")))
                    .isEqualTo(950);
            assertThat(engine.left(get("/search").query("size=50").header("X-Api-Key", "two")))
                    .isEqualTo(900);
            assertThat(engine.complaints()).isEmpty();
        }
    }

    @Test
    void oneThatCannotBeUsedIsReportedAndLeftOut() throws Exception {
        provide(AttributeResolver.class, "io.ratelimit.missing.Tiers", Gold.class.getName());
        provide(
                CostResolver.class,
                Broken.class.getName(),
                Nameless.class.getName(),
                PageSize.class.getName(),
                SamePageSize.class.getName());
        provide(IdentityVerifier.class, Gold.class.getName(), NoKeys.class.getName());
        try (URLClassLoader loader = loader();
                ExtendedEngine engine = new ExtendedEngine(RULES, builder -> builder.classLoader(loader))) {
            assertThat(engine.left(get("/search").query("size=50").header("X-Api-Key", "one")))
                    .isEqualTo(950);
            assertThat(engine.complaints())
                    .hasSize(5)
                    .anyMatch(line -> line.contains("io.ratelimit.missing.Tiers"))
                    .anyMatch(line -> line.contains(Broken.class.getName()))
                    .anyMatch(line -> line.contains("no name today"))
                    .anyMatch(line -> line.contains("both named 'page-size'"))
                    .anyMatch(line -> line.contains(Gold.class.getName()));
        }
    }

    @Test
    void whatIsHandedInStandsBeforeWhatIsFound() throws Exception {
        provide(AttributeResolver.class, Gold.class.getName());
        provide(CostResolver.class, PageSize.class.getName());
        try (URLClassLoader loader = loader();
                ExtendedEngine engine = new ExtendedEngine(
                        RULES,
                        builder -> builder.classLoader(loader)
                                .attributes((name, request) -> "silver")
                                .costs(new QueryParameterCost("page-size", "limit", 3, 30)))) {
            assertThat(engine.left(get("/search").query("size=50&limit=20"))).isEqualTo(80);
        }
    }

    /** Everybody's tier. */
    public static final class Gold implements AttributeResolver {

        /** Made by the service loader. */
        public Gold() {}

        @Override
        public Object resolve(String name, RequestContext request) {
            return "gold";
        }
    }

    /** The page's size. */
    public static class PageSize extends QueryParameterCost {

        /** Made by the service loader. */
        public PageSize() {
            super("page-size", "size", 1, 100);
        }
    }

    /** Another of the same name. */
    public static final class SamePageSize extends PageSize {}

    /** Cannot be made. */
    public static final class Broken extends PageSize {

        /** Fails. */
        public Broken() {
            throw new IllegalStateException("no");
        }
    }

    /** Does not say its name. */
    public static final class Nameless implements CostResolver {

        @Override
        public String name() {
            throw new IllegalStateException("no name today");
        }

        @Override
        public long cost(RequestContext request) {
            return 1;
        }
    }

    /** Knows no keys. */
    public static final class NoKeys implements IdentityVerifier {

        @Override
        public boolean vouchesFor(Identity identity) {
            return identity.kind() == Identity.Kind.HEADER;
        }

        @Override
        public boolean verify(Identity identity, String value, RequestContext request) {
            return false;
        }
    }
}
