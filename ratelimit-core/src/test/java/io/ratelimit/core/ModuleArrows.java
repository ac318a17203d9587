package io.ratelimit.core;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;

/** Which modules and packages may stand on which. */
public final class ModuleArrows {

    /** No circles between packages, that of the api's root included. */
    public static final ArchRule PACKAGES_HAVE_NO_CIRCLES =
            slices().assignedFrom(new ByPackage()).should().beFreeOfCycles();

    private static final String[] API = {
        "io.ratelimit", "io.ratelimit.annotation", "io.ratelimit.rules", "io.ratelimit.store"
    };

    private ModuleArrows() {}

    /** A module stands on core and api, and on no other of ours. */
    public static ArchRule standsOnCoreAndApiAlone(String packageName) {
        return noClasses()
                .that()
                .resideInAPackage(packageName + "..")
                .should()
                .dependOnClassesThat(resideInAPackage("io.ratelimit..")
                        .and(not(resideInAnyPackage(API)))
                        .and(not(resideInAnyPackage(packageName + "..", "io.ratelimit.core.."))));
    }

    private static final class ByPackage implements SliceAssignment {

        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            return type.getPackageName().startsWith("io.ratelimit")
                    ? SliceIdentifier.of(type.getPackageName())
                    : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
            return "packages by their full names";
        }
    }
}
