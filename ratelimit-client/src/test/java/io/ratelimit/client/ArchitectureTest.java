package io.ratelimit.client;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.ratelimit.client", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    private static final DescribedPredicate<JavaClass> AN_OPTIONAL_LIBRARY = simpleName("LocalLimits")
            .or(simpleName("JettyTransport"))
            .or(nameMatching(".*\\.JettyTransport\\$.*"))
            .or(simpleName("RetryingFeature"))
            .or(simpleName("RetryFilter"))
            .or(simpleName("BodyKeeper"))
            .or(simpleName("RepeatedCall"))
            .or(simpleName("CallAttempt"))
            .or(nameMatching(".*\\.CallAnswer.*"))
            .as("for an optional library");

    @ArchTest
    static final ArchRule theJdkTheApiAndJacksonAreAllThatIsNeeded = noClasses()
            .that(not(AN_OPTIONAL_LIBRARY))
            .should()
            .dependOnClassesThat()
            .resideOutsideOfPackages(
                    "java..",
                    "javax.net..",
                    "org.jspecify..",
                    "com.fasterxml.jackson.core..",
                    "io.ratelimit",
                    "io.ratelimit.rules",
                    "io.ratelimit.store",
                    "io.ratelimit.client..");

    @ArchTest
    static final ArchRule retriesNeedNoJson = noClasses()
            .that()
            .resideInAPackage("io.ratelimit.client.http")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("com.fasterxml..", "io.ratelimit.client");
}
