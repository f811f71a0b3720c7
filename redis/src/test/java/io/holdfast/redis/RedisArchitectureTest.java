package io.holdfast.redis;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.client.WrongArrow;
import io.holdfast.redis.keys.ReplyParser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The order of the packages. Each rule has a second test, which shows that it can fail. */
@Tag("slow")
class RedisArchitectureTest {

    /** The layers from the top to the bottom, each with the layers that may use it. */
    private static final ArchRule LAYERS = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("root")
            .definedBy("io.holdfast.redis")
            .layer("cluster")
            .definedBy("io.holdfast.redis.cluster")
            .layer("script")
            .definedBy("io.holdfast.redis.script")
            .layer("transaction")
            .definedBy("io.holdfast.redis.transaction")
            .layer("doctor")
            .definedBy("io.holdfast.redis.doctor")
            .layer("connection")
            .definedBy("io.holdfast.redis.connection")
            .layer("keys")
            .definedBy("io.holdfast.redis.keys")
            .layer("client")
            .definedBy("io.holdfast.redis.client")
            .whereLayer("root")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("cluster")
            .mayOnlyBeAccessedByLayers("root")
            .whereLayer("script")
            .mayOnlyBeAccessedByLayers("root", "cluster")
            .whereLayer("transaction")
            .mayOnlyBeAccessedByLayers("root")
            .whereLayer("doctor")
            .mayOnlyBeAccessedByLayers("script", "transaction")
            .whereLayer("connection")
            .mayOnlyBeAccessedByLayers("root", "cluster", "script", "transaction", "doctor")
            .whereLayer("keys")
            .mayOnlyBeAccessedByLayers("root", "cluster", "script", "transaction", "doctor", "connection");

    private static final ArchRule NO_CIRCLES =
            slices().matching("io.holdfast.redis.(*)..").should().beFreeOfCycles();

    @Test
    void packages_production_dependDownwardWithoutCircles() {
        JavaClasses production = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("io.holdfast.redis");

        LAYERS.check(production);
        NO_CIRCLES.check(production);
    }

    @Test
    void layers_clientThatUsesKeys_areViolated() {
        JavaClasses wrong = new ClassFileImporter().importPackages("io.holdfast.redis");

        assertThatThrownBy(() -> LAYERS.check(wrong)).hasMessageContaining("WrongArrow");
    }

    @Test
    void noCircles_packagesThatUseEachOther_areViolated() {
        JavaClasses wrong =
                new ClassFileImporter().importClasses(WrongArrow.class, ReplyParser.class, RedisReply.class);

        assertThatThrownBy(() -> NO_CIRCLES.check(wrong)).hasMessageContaining("Cycle");
    }
}
