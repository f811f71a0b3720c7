package io.holdfast;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.holdfast.time.SystemTime;
import io.holdfast.time.ThreadWait;
import java.time.Instant;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The rules of the architecture. Each has a second test, which shows that it can fail. */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class ArchitectureTest {

    /** Imported once: it takes seconds. */
    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.holdfast");

    /** The layers from the top to the bottom, each with the layers that may use it. */
    private final ArchRule arrowsPointDown = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("locks")
            .definedBy("io.holdfast.locks")
            .layer("spi")
            .definedBy("io.holdfast.spi")
            .layer("root")
            .definedBy("io.holdfast")
            .layer("client")
            .definedBy("io.holdfast.client")
            .layer("admin")
            .definedBy("io.holdfast.admin")
            .layer("hold")
            .definedBy("io.holdfast.hold")
            .layer("acquire")
            .definedBy("io.holdfast.acquire")
            .layer("quarantine")
            .definedBy("io.holdfast.quarantine")
            .layer("quorum")
            .definedBy("io.holdfast.quorum")
            .layer("memory")
            .definedBy("io.holdfast.node.memory")
            .layer("batch")
            .definedBy("io.holdfast.node.batch")
            .layer("node")
            .definedBy("io.holdfast.node")
            .layer("lease")
            .definedBy("io.holdfast.lease")
            .layer("record")
            .definedBy("io.holdfast.record")
            .layer("event")
            .definedBy("io.holdfast.event")
            .layer("security")
            .definedBy("io.holdfast.security")
            .layer("time")
            .definedBy("io.holdfast.time")
            .whereLayer("locks")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("spi")
            .mayOnlyBeAccessedByLayers("locks")
            .whereLayer("root")
            .mayOnlyBeAccessedByLayers("locks", "spi")
            .whereLayer("client")
            .mayOnlyBeAccessedByLayers("root", "spi")
            .whereLayer("admin")
            .mayOnlyBeAccessedByLayers("root")
            .whereLayer("hold")
            .mayOnlyBeAccessedByLayers("root", "client")
            .whereLayer("acquire")
            .mayOnlyBeAccessedByLayers("root", "client", "hold")
            .whereLayer("quarantine")
            .mayOnlyBeAccessedByLayers("root", "client", "admin")
            .whereLayer("quorum")
            .mayOnlyBeAccessedByLayers("root", "client", "admin", "hold", "acquire", "quarantine")
            .whereLayer("memory")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("batch")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("node")
            .mayOnlyBeAccessedByLayers(
                    "root",
                    "spi",
                    "client",
                    "locks",
                    "admin",
                    "hold",
                    "acquire",
                    "quarantine",
                    "quorum",
                    "memory",
                    "batch")
            .whereLayer("record")
            .mayOnlyBeAccessedByLayers("root", "client", "admin", "quarantine", "quorum", "memory", "node")
            .whereLayer("lease")
            .mayOnlyBeAccessedByLayers(
                    "locks",
                    "root",
                    "client",
                    "admin",
                    "hold",
                    "acquire",
                    "quarantine",
                    "quorum",
                    "memory",
                    "node",
                    "record",
                    "event")
            .whereLayer("event")
            .mayOnlyBeAccessedByLayers("root", "client", "locks", "spi")
            .whereLayer("security")
            .mayOnlyBeAccessedByLayers("root", "node")
            .whereLayer("time")
            .mayOnlyBeAccessedByLayers(
                    "locks",
                    "spi",
                    "root",
                    "client",
                    "admin",
                    "hold",
                    "acquire",
                    "quarantine",
                    "quorum",
                    "memory",
                    "node");

    private final ArchRule noCircles =
            slices().matching("io.holdfast.(*)..").should().beFreeOfCycles();

    private final ArchRule jdkOnly = classes()
            .should()
            .onlyDependOnClassesThat(resideInAPackage("java..")
                    .or(resideInAPackage("javax.net.ssl"))
                    .or(resideInAPackage("io.holdfast.."))
                    .or(resideInAPackage("org.jspecify.annotations"))
                    .or(DescribedPredicate.describe("primitives", JavaClass::isPrimitive))
                    .or(DescribedPredicate.describe("arrays", JavaClass::isArray)));

    private final ArchRule oneClock = noClasses()
            .that()
            .areNotAssignableTo(SystemTime.class)
            .and()
            .areNotAssignableTo(ThreadWait.class)
            .should()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(Thread.class, "sleep", long.class)
            .orShould()
            .callMethod(Thread.class, "start")
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.util.concurrent.Executors")
            .orShould()
            .callConstructorWhere(DescribedPredicate.describe(
                    "of a ThreadPoolExecutor", call -> call.getTargetOwner().isAssignableTo(ThreadPoolExecutor.class)))
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.util.Timer")
            .because("time comes from io.holdfast.time.Time");

    private final ArchRule finalClasses = classes()
            .that()
            .areTopLevelClasses()
            .and()
            .areNotInterfaces()
            .and()
            .doNotHaveModifier(JavaModifier.ABSTRACT)
            .should()
            .haveModifier(JavaModifier.FINAL);

    @Test
    void rules_production_hold() {
        Stream.of(arrowsPointDown, noCircles, jdkOnly, oneClock, finalClasses).forEach(rule -> rule.check(CORE));
    }

    @Test
    void arrowsPointDown_nodeThatNamesTheRoot_isCaught() {
        JavaClasses wrong = new ClassFileImporter().importClasses(io.holdfast.node.WrongArrow.class, Holdfast.class);
        assertThatThrownBy(() -> arrowsPointDown.check(wrong)).hasMessageContaining("WrongArrow");
    }

    @Test
    void noCircles_packagesThatNameEachOther_areCaught() {
        JavaClasses wrong = new ClassFileImporter()
                .importClasses(io.holdfast.node.WrongArrow.class, io.holdfast.time.WrongCircle.class);
        assertThatThrownBy(() -> noCircles.check(wrong)).hasMessageContaining("Cycle");
    }

    @Test
    void otherRules_thisTest_isCaught() {
        JavaClasses wrong = new ClassFileImporter().importClasses(ArchitectureTest.class);
        Stream.of(jdkOnly, oneClock, finalClasses)
                .forEach(rule -> assertThatThrownBy(() -> rule.check(wrong)).hasMessageContaining("ArchitectureTest"));
    }

    /** Breaks the rule of the single clock, for its test. */
    static long forbiddenClock() {
        return System.nanoTime();
    }
}
