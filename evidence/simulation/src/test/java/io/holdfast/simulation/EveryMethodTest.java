package io.holdfast.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.holdfast.Holdfast;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Lists the public methods that users of the library meet, and fails when one is added that no simulated user calls.
 */
@Tag("slow")
class EveryMethodTest {

    private static final Set<String> PACKAGES = Set.of("io.holdfast", "io.holdfast.locks", "io.holdfast.event");

    /** Methods that no simulated user calls, each with the reason. */
    private static final Map<String, String> EXEMPT = Map.ofEntries(
            Map.entry("LeaseLostException.atRelease", "only makes an exception, as Acquirable.call does"),
            Map.entry("LeaseLostException.tooShort", "only makes an exception, as Lease.ensureValidFor does"),
            Map.entry("Holdfast.connect", "needs servers: the contracts and the fault suite call it"),
            Map.entry("Candidate.resigned", "called by the library: the simulated candidates implement it"),
            Map.entry("Candidate.deposed", "called by the library: the simulated candidates implement it"),
            Map.entry("values", "made by the compiler"),
            Map.entry("valueOf", "made by the compiler"),
            Map.entry("equals", "made by the compiler for records"),
            Map.entry("hashCode", "made by the compiler for records"),
            Map.entry("toString", "changes nothing; unit tests read it"));

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.holdfast");

    @Test
    void list_allPublicMethods_eachIsCalledByASimulatedUser() {
        Stream<JavaClass> library = CLASSES.stream().filter(type -> PACKAGES.contains(type.getPackageName()));
        Stream<JavaClass> users =
                CLASSES.stream().filter(type -> type.getPackageName().startsWith("io.holdfast.simulation"));

        assertThat(uncalled(library, users)).isEmpty();
    }

    /** Otherwise a scan that finds no method at all would pass. */
    @Test
    void list_allPublicMethods_knowsThoseOfTheMainClass() {
        Stream<JavaClass> library = Stream.of(CLASSES.get(Holdfast.class));

        assertThat(uncalled(library, Stream.of())).contains("Holdfast.lock(String)", "Holdfast.close()");
    }

    @Test
    void list_methodThatNobodyCalls_isFound() {
        JavaClasses own = new ClassFileImporter().importClasses(General.class, Library.class, Caller.class);

        assertThat(uncalled(Stream.of(own.get(Library.class)), Stream.of(own.get(Caller.class))))
                .containsExactly("Library.forgotten(int)");
    }

    /** An interface of the class below. */
    public interface General {
        void general();
    }

    /** A class that stands for one of the library. */
    public static final class Library implements General {
        public void called() {}

        @Override
        public void general() {}

        public void referred() {}

        public void forgotten(int number) {}

        void hidden() {}
    }

    /** A class that stands for a simulated user. */
    static final class Caller {
        Runnable call(Library library, General general) {
            library.called();
            general.general();
            return library::referred;
        }
    }

    private static Set<String> uncalled(Stream<JavaClass> library, Stream<JavaClass> users) {
        Set<String> called = users.flatMap(EveryMethodTest::targets).collect(Collectors.toSet());
        return library.filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .flatMap(type -> type.getMethods().stream())
                .filter(method -> method.getModifiers().contains(JavaModifier.PUBLIC))
                .filter(method -> !method.getModifiers().contains(JavaModifier.SYNTHETIC))
                .filter(method -> !method.getModifiers().contains(JavaModifier.ABSTRACT))
                .filter(Predicate.not(EveryMethodTest::isExempt))
                .filter(Predicate.not(EveryMethodTest::isComponent))
                .filter(method -> !called.contains(method.getFullName()))
                .filter(method -> !isCalledAsOneOfItsInterface(method, called))
                .map(EveryMethodTest::nameOf)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Stream<String> targets(JavaClass user) {
        return Stream.concat(user.getMethodCallsFromSelf().stream(), user.getMethodReferencesFromSelf().stream())
                .map(JavaAccess::getTarget)
                // A call may name a subclass of the class that declares the method.
                .map(target ->
                        target.resolveMember().map(JavaMember::getFullName).orElse(target.getFullName()));
    }

    /** Requests know only the interface of what they request. */
    private static boolean isCalledAsOneOfItsInterface(JavaMethod method, Set<String> called) {
        return method.getOwner().getAllRawInterfaces().stream()
                .flatMap(type -> type.getMethods().stream())
                .filter(general -> general.getName().equals(method.getName()))
                .filter(general -> general.getRawParameterTypes().equals(method.getRawParameterTypes()))
                .anyMatch(general -> called.contains(general.getFullName()));
    }

    private static boolean isExempt(JavaMethod method) {
        return EXEMPT.containsKey(method.getName())
                || EXEMPT.containsKey(method.getOwner().getSimpleName() + "." + method.getName());
    }

    /** Excludes components of records: they are only read, and their effect shows where the record is used. */
    private static boolean isComponent(JavaMethod method) {
        return method.getOwner().isRecord()
                && method.getRawParameterTypes().isEmpty()
                && method.getOwner().tryGetField(method.getName()).isPresent();
    }

    private static String nameOf(JavaMethod method) {
        return method.getOwner().getSimpleName() + "." + method.getName()
                + method.getRawParameterTypes().stream()
                        .map(JavaClass::getSimpleName)
                        .collect(Collectors.joining(", ", "(", ")"));
    }
}
