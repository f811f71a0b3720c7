package io.holdfast.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The walls between the modules, beside those within core. Each has a second test, which shows that it can fail. */
class ModulesTest {

    private static final int LARGE_FILE = 300;
    private static final Path ROOT = Path.of("..");

    /** A command's name as a string of its own. */
    private static final Pattern REDIS_WORD =
            Pattern.compile("\"(EVAL|EVALSHA|GET|SET|DEL|PTTL|PEXPIRE|INFO|PUBLISH|SUBSCRIBE|WATCH|MULTI|EXEC)\"");

    /** The arrows of docs/ARCHITECTURE.md: each module, and which others its classes may name. */
    private static final Map<String, Set<String>> ARROWS = Map.ofEntries(
            entry("core", Set.of()),
            entry("redis", Set.of("core")),
            entry("lettuce", Set.of("core", "redis")),
            entry("jedis", Set.of("core", "redis")),
            entry("testkit", Set.of("core", "redis")),
            entry("packing", Set.of()),
            entry("cli", Set.of("core", "jedis", "testkit")),
            entry("interop", Set.of("core", "lettuce", "testkit")),
            entry("faults", Set.of("core", "lettuce", "jedis", "testkit")),
            entry("stress", Set.of("core", "lettuce", "jedis", "testkit")),
            entry("simulation", Set.of("core")),
            entry("benchmarks", Set.of("core", "lettuce", "testkit")),
            entry("examples", Set.of("core", "lettuce")));

    /** Imported once: it takes seconds. A build of some modules alone has no classes of the others. */
    private static final JavaClasses HOUSE = new ClassFileImporter()
            .importPaths(ARROWS.keySet().stream()
                    .map(ModulesTest::classes)
                    .filter(Files::isDirectory)
                    .toList());

    private final ArchRule modules = arrows();

    private static Path classes(String module) {
        return directory(module).resolve(module.equals("interop") ? "target/test-classes" : "target/classes");
    }

    private static Path directory(String module) {
        return ROOT.resolve(module.equals("examples") ? module : "holdfast-" + module);
    }

    private static ArchRule arrows() {
        LayeredArchitecture layers = layeredArchitecture().consideringOnlyDependenciesInLayers();
        for (String module : ARROWS.keySet()) {
            layers = layers.optionalLayer(module).definedBy(packages(module));
        }
        for (Map.Entry<String, Set<String>> arrow : ARROWS.entrySet()) {
            var layer = layers.whereLayer(arrow.getKey());
            layers = arrow.getValue().isEmpty()
                    ? layer.mayNotAccessAnyLayer()
                    : layer.mayOnlyAccessLayers(arrow.getValue().toArray(String[]::new));
        }
        return layers;
    }

    private static String[] packages(String module) {
        return module.equals("core")
                ? Stream.of("", ".event", ".locks", ".node", ".quorum", ".time")
                        .map("io.holdfast"::concat)
                        .toArray(String[]::new)
                : new String[] {"io.holdfast." + module + ".."};
    }

    private final ArchRule clientInItsAdapter = noClasses()
            .that()
            .resideOutsideOfPackages("io.holdfast.lettuce", "io.holdfast.interop", "io.holdfast.benchmarks")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.lettuce..", "io.netty..", "reactor..");

    private final ArchRule otherClientInItsAdapter = noClasses()
            .that()
            .resideOutsideOfPackages("io.holdfast.jedis", "io.holdfast.interop")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("redis.clients..");

    @Test
    void modules_production_pointDown() {
        modules.check(HOUSE);
        clientInItsAdapter.check(HOUSE);
        otherClientInItsAdapter.check(HOUSE);
    }

    @Test
    void modules_eachDirectoryOfTheBuild_isAmongTheArrows() throws IOException {
        try (Stream<Path> directories = Files.list(ROOT)) {
            // The model of the protocol has no classes.
            assertThat(directories
                            .filter(directory -> Files.exists(directory.resolve("pom.xml")))
                            .map(directory -> directory.getFileName().toString())
                            .filter(name -> !name.equals("spec")))
                    .containsExactlyInAnyOrderElementsOf(ARROWS.keySet().stream()
                            .map(module -> directory(module).getFileName().toString())
                            .toList());
        }
    }

    @Test
    void modules_arrowThatPointsElsewhere_isCaught() {
        JavaClasses wrong = new ClassFileImporter()
                .importClasses(io.holdfast.simulation.WrongArrow.class, io.holdfast.redis.FreshServer.class);
        assertThatThrownBy(() -> modules.check(wrong)).hasMessageContaining("WrongArrow");
    }

    @Test
    void otherClient_thisTest_isCaught() {
        JavaClasses wrong = new ClassFileImporter().importClasses(ModulesTest.class, WrongArrow.class, wrongTarget());
        assertThatThrownBy(() -> otherClientInItsAdapter.check(wrong)).hasMessageContaining("WrongArrow");
    }

    @Test
    void redisWords_production_standInOneModule() {
        assertThat(files("core", "lettuce", "cli", "simulation").filter(ModulesTest::saysARedisWord))
                .isEmpty();
    }

    @Test
    void redisWords_whereTheyBelong_areFound() {
        assertThat(files("redis").filter(ModulesTest::saysARedisWord)).isNotEmpty();
    }

    @Test
    void files_production_areShort() {
        // A contract is a test, and a list by nature.
        assertThat(files(ARROWS.keySet().toArray(String[]::new))
                        .filter(file -> !file.toString().contains("/contract/"))
                        .filter(file -> lines(file).size() > LARGE_FILE))
                .isEmpty();
    }

    private static Stream<Path> files(String... modules) {
        return Stream.of(modules).flatMap(module -> {
            try (Stream<Path> tree = Files.walk(sources(module))) {
                return tree.filter(file -> file.toString().endsWith(".java")).toList().stream();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private static Path sources(String module) {
        return directory(module).resolve(module.equals("interop") ? "src/test/java" : "src/main/java");
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
