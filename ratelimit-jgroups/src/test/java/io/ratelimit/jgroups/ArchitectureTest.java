package io.ratelimit.jgroups;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.ratelimit.core.ModuleArrows;

@AnalyzeClasses(packages = "io.ratelimit.jgroups", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule packagesHaveNoCircles = ModuleArrows.PACKAGES_HAVE_NO_CIRCLES;

    @ArchTest
    static final ArchRule standsOnCoreAndApiAlone = ModuleArrows.standsOnCoreAndApiAlone("io.ratelimit.jgroups");
}
