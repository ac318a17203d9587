package io.ratelimit.core;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.GeneralCodingRules;

@AnalyzeClasses(packages = "io.ratelimit", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule packagesHaveNoCircles = ModuleArrows.PACKAGES_HAVE_NO_CIRCLES;

    @ArchTest
    static final ArchRule theCoreStandsOnTheApiAlone = ModuleArrows.standsOnCoreAndApiAlone("io.ratelimit.core");

    @ArchTest
    static final ArchRule theApiStandsOnNothing = noClasses()
            .that()
            .resideOutsideOfPackage("io.ratelimit.core..")
            .should()
            .dependOnClassesThat()
            .resideOutsideOfPackages(
                    "java..",
                    "org.jspecify..",
                    "io.ratelimit",
                    "io.ratelimit.annotation",
                    "io.ratelimit.rules",
                    "io.ratelimit.store");

    @ArchTest
    static final ArchRule algorithmsHaveNoClockNoLockAndNoInput = noClasses()
            .that()
            .resideInAPackage("io.ratelimit.core.algorithm")
            .and()
            // What is learned from response times is no arithmetic on a state; the library that learns names a time
            // unit.
            .doNotHaveSimpleName("LearnedLimit")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.util.concurrent..", "java.io..", "java.nio..", "org.slf4j..")
            .orShould()
            .dependOnClassesThat()
            .haveSimpleName("TimeSource");

    @ArchTest
    static final ArchRule nobodyPrints = GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;

    @ArchTest
    static final ArchRule nobodyIsAUtilityOrAManager =
            noClasses().should().haveSimpleNameEndingWith("Utils").orShould().haveSimpleNameEndingWith("Manager");
}
