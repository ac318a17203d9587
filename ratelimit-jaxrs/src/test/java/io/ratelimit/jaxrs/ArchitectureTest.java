package io.ratelimit.jaxrs;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.ratelimit.core.ModuleArrows;

@AnalyzeClasses(packages = "io.ratelimit.jaxrs", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule packagesHaveNoCircles = ModuleArrows.PACKAGES_HAVE_NO_CIRCLES;

    @ArchTest
    static final ArchRule standsOnCoreAndApiAlone = ModuleArrows.standsOnCoreAndApiAlone("io.ratelimit.jaxrs");

    /** An application without servlets loads all other classes. */
    @ArchTest
    static final ArchRule onlyOneClassKnowsTheServletApi = noClasses()
            .that()
            .resideInAPackage("io.ratelimit.jaxrs..")
            .and()
            .doNotHaveSimpleName("ServletExchange")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("jakarta.servlet..");

    @ArchTest
    static final ArchRule noImplementationOfJaxRsIsNeeded =
            noClasses().should().dependOnClassesThat().resideInAnyPackage("org.glassfish..", "org.jboss..");
}
