package io.holdfast.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The walls between the modules, beside those within core. Each has a second test, which shows that it can fail. */
class HouseTest {

    private static final int LARGE_FILE = 300;
    private static final Path ROOT = Path.of("..");

    /** A command's name as a string of its own. */
    private static final Pattern REDIS_WORD =
            Pattern.compile("\"(EVAL|EVALSHA|GET|SET|DEL|PTTL|PEXPIRE|INFO|PUBLISH|SUBSCRIBE|WATCH|MULTI|EXEC)\"");

    private final JavaClasses house = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPaths(Stream.of("core", "redis", "lettuce", "jedis", "testkit", "packing", "cli")
                    .map(module -> ROOT.resolve("holdfast-" + module + "/target/classes"))
                    .filter(Files::isDirectory)
                    .toList());

    private final ArchRule modules = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("core")
            .definedBy("io.holdfast", "io.holdfast.event", "io.holdfast.node", "io.holdfast.quorum", "io.holdfast.time")
            .layer("redis")
            .definedBy("io.holdfast.redis")
            .optionalLayer("lettuce")
            .definedBy("io.holdfast.lettuce")
            .layer("jedis")
            .definedBy("io.holdfast.jedis")
            .layer("testkit")
            .definedBy("io.holdfast.testkit..")
            .optionalLayer("packing")
            .definedBy("io.holdfast.packing")
            .layer("cli")
            .definedBy("io.holdfast.cli..")
            .whereLayer("cli")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("packing")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("packing")
            .mayNotAccessAnyLayer()
            .whereLayer("testkit")
            .mayOnlyBeAccessedByLayers("cli")
            .whereLayer("lettuce")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("redis")
            .mayOnlyBeAccessedByLayers("lettuce", "jedis", "testkit")
            .whereLayer("jedis")
            .mayOnlyBeAccessedByLayers("cli");

    private final ArchRule clientInItsAdapter = noClasses()
            .that()
            .resideOutsideOfPackage("io.holdfast.lettuce")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.lettuce..", "io.netty..", "reactor..");

    private final ArchRule otherClientInItsAdapter = noClasses()
            .that()
            .resideOutsideOfPackage("io.holdfast.jedis")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("redis.clients..");

    @Test
    void modules_production_pointDown() {
        modules.check(house);
        clientInItsAdapter.check(house);
        otherClientInItsAdapter.check(house);
    }

    @Test
    void modules_thisTest_isCaught() {
        JavaClasses wrong = new ClassFileImporter().importClasses(HouseTest.class, WrongArrow.class, wrongTarget());
        assertThatThrownBy(() -> otherClientInItsAdapter.check(wrong)).hasMessageContaining("WrongArrow");
    }

    @Test
    void redisWords_production_standInOneModule() {
        assertThat(files("core", "lettuce", "cli").filter(HouseTest::saysARedisWord))
                .isEmpty();
    }

    @Test
    void redisWords_whereTheyBelong_areFound() {
        assertThat(files("redis").filter(HouseTest::saysARedisWord)).isNotEmpty();
    }

    @Test
    void files_production_areShort() {
        // A contract is a test, and a list by nature.
        assertThat(files("redis", "lettuce", "jedis", "testkit", "packing", "cli")
                        .filter(file -> !file.toString().contains("/contract/"))
                        .filter(file -> lines(file).size() > LARGE_FILE))
                .isEmpty();
    }

    private static Stream<Path> files(String... modules) {
        return Stream.of(modules).flatMap(module -> {
            try (Stream<Path> tree = Files.walk(ROOT.resolve("holdfast-" + module + "/src/main/java"))) {
                return tree.filter(file -> file.toString().endsWith(".java")).toList().stream();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private static boolean saysARedisWord(Path file) {
        return lines(file).stream().anyMatch(line -> REDIS_WORD.matcher(line).find());
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Class<?> wrongTarget() {
        return redis.clients.jedis.HostAndPort.class;
    }

    /** Breaks the rule of the client in its adapter, for its test. */
    static final class WrongArrow {
        private WrongArrow() {}

        static String client() {
            return redis.clients.jedis.HostAndPort.from("a:6379").getHost();
        }
    }
}
