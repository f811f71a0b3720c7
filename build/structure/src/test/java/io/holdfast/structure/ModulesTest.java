package io.holdfast.structure;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import io.holdfast.cli.Main;
import io.holdfast.cli.syntax.Help;
import io.holdfast.cli.syntax.WrongCircle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests the structure of all modules: arrows, clients, sizes. A second test of each rule proves that the rule can fail.
 */
@Tag("slow")
class ModulesTest {

    private static final int MAX_LINES = 300;
    private static final int MAX_FILES = 20;
    private static final Path ROOT = Path.of("../..");

    private static final Pattern MODULE = Pattern.compile("<module>(.+)</module>");
    private static final Pattern ARTIFACT = Pattern.compile("(?m)^  <artifactId>holdfast-(.+)</artifactId>");

    /** The directory of each module by the name of its artifact, without {@code holdfast-}. */
    private static final Map<String, Path> DIRECTORIES = MODULE.matcher(read(ROOT.resolve("pom.xml")))
            .results()
            .map(module -> ROOT.resolve(module.group(1)))
            .collect(Collectors.toMap(ModulesTest::artifact, Function.identity()));

    /** The name of a Redis command as a string literal. */
    private static final Pattern REDIS_COMMAND =
            Pattern.compile("\"(EVAL|EVALSHA|GET|SET|DEL|PTTL|PEXPIRE|INFO|PUBLISH|SUBSCRIBE|WATCH|MULTI|EXEC)\"");

    /** The arrows of docs/ARCHITECTURE.md: each module with the modules that its classes may use. */
    private static final Map<String, Set<String>> ARROWS = Map.ofEntries(
            entry("core", Set.of()),
            entry("redis", Set.of("core")),
            entry("lettuce", Set.of("core", "redis")),
            entry("jedis", Set.of("core", "redis")),
            entry("jobs", Set.of("core")),
            entry("console", Set.of("core", "jobs")),
            entry("reactor", Set.of("core")),
            entry("kotlin", Set.of("core")),
            entry("spring-integration", Set.of("core")),
            entry("shedlock", Set.of("core", "jobs")),
            entry("micrometer", Set.of("core", "jobs")),
            entry("servers", Set.of("core", "redis")),
            entry("test", Set.of("core", "servers")),
            entry("testkit", Set.of("core", "redis", "servers")),
            entry("packing", Set.of()),
            entry("cli", Set.of("core", "jobs", "console", "jedis", "servers")),
            entry("interop", Set.of("core", "lettuce", "servers", "testkit")),
            entry("faults", Set.of("core", "lettuce", "jedis", "servers", "testkit")),
            entry("stress", Set.of("core", "lettuce", "jedis", "servers", "testkit")),
            entry("simulation", Set.of("core")),
            entry("benchmarks", Set.of("core", "lettuce", "servers", "testkit")),
            entry("scoreboard", Set.of("core", "lettuce", "servers", "testkit", "benchmarks")),
            entry("spring", Set.of("core", "jobs", "reactor")),
            entry("spring-boot", Set.of("core", "jobs", "spring", "console", "micrometer")),
            entry("inventory", Set.of("core", "spring", "servers")),
            entry("examples", Set.of("core", "lettuce")));

    /** Modules without classes in production: versions, the model of the protocol, and those of tests only. */
    private static final Set<String> WITHOUT_CLASSES = Set.of(
            "bom",
            "spring-boot-starter",
            "spec",
            "checks",
            "documents",
            "structure",
            "browser",
            "jobs-tests",
            "lettuce-tests",
            "jedis-tests");

    private static final Set<String> CORE_PACKAGES = Set.of(
            "",
            ".acquire",
            ".admin",
            ".client",
            ".event",
            ".hold",
            ".lease",
            ".locks",
            ".node..",
            ".quarantine",
            ".quorum",
            ".record",
            ".security",
            ".time");

    /** Imported once, since that takes seconds. A build of single modules has no classes of the others. */
    static final JavaClasses CLASSES = new ClassFileImporter()
            .importPaths(ARROWS.keySet().stream()
                    .map(ModulesTest::classes)
                    .filter(Files::isDirectory)
                    .toList());

    private final ArchRule modules = arrows();

    private static Path classes(String module) {
        return directory(module).resolve(module.equals("interop") ? "target/test-classes" : "target/classes");
    }

    private static Path directory(String module) {
        return Objects.requireNonNull(DIRECTORIES.get(module), module);
    }

    private static String artifact(Path module) {
        Matcher artifact = ARTIFACT.matcher(read(module.resolve("pom.xml")));
        assertThat(artifact.find()).as(module.toString()).isTrue();
        return artifact.group(1);
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
        return switch (module) {
            case "core" -> CORE_PACKAGES.stream().map("io.holdfast"::concat).toArray(String[]::new);
            case "spring" ->
                new String[] {
                    "io.holdfast.spring",
                    "io.holdfast.spring.leader..",
                    "io.holdfast.spring.attribute..",
                    "io.holdfast.spring.proxy..",
                    "io.holdfast.spring.use.."
                };
            default -> new String[] {"io.holdfast." + module.replace('-', '.') + ".."};
        };
    }

    private final ArchRule lettuceInItsAdapter = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "io.holdfast.lettuce",
                    "io.holdfast.interop",
                    "io.holdfast.benchmarks..",
                    "io.holdfast.scoreboard..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.lettuce..", "io.netty..");

    private final ArchRule frameworksInTheirAdapters = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "io.holdfast.benchmarks..",
                    "io.holdfast.inventory..",
                    "io.holdfast.kotlin",
                    "io.holdfast.micrometer",
                    "io.holdfast.reactor",
                    "io.holdfast.scoreboard..",
                    "io.holdfast.shedlock",
                    "io.holdfast.spring..",
                    "io.holdfast.test")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.micrometer..",
                    "kotlin..",
                    "kotlinx..",
                    "net.javacrumbs..",
                    "org.springframework..",
                    "reactor..");

    /** An application without Boot must be able to use the module for Spring. */
    private static ArchRule bootOnlyIn(String... packages) {
        return noClasses()
                .that()
                .resideOutsideOfPackages(packages)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.springframework.boot..", "org.springframework.data..");
    }

    private final ArchRule jedisInItsAdapter = noClasses()
            .that()
            .resideOutsideOfPackages("io.holdfast.jedis", "io.holdfast.interop")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("redis.clients..");

    /**
     * {@code Durations} has methods in their place: these create the tables of BigDecimal, 20 ms of a start of Java 25.
     */
    private final ArchRule noDecimalDurations = noClasses()
            .that()
            .resideInAnyPackage(
                    "io.holdfast",
                    "io.holdfast.cli..",
                    "io.holdfast.console..",
                    "io.holdfast.jobs",
                    "io.holdfast.redis..",
                    "io.holdfast.jedis..")
            .or()
            .resideInAnyPackage(packages("core"))
            .should()
            .callMethod(Duration.class, "multipliedBy", long.class)
            .orShould()
            .callMethod(Duration.class, "dividedBy", long.class)
            .orShould()
            .callMethod(Duration.class, "dividedBy", Duration.class);

    private final ArchRule commandPackages = slices().assignedFrom(new SliceAssignment() {
                @Override
                public SliceIdentifier getIdentifierOf(JavaClass type) {
                    return type.getPackageName().startsWith("io.holdfast.cli")
                            ? SliceIdentifier.of(type.getPackageName())
                            : SliceIdentifier.ignore();
                }

                @Override
                public String getDescription() {
                    return "the packages of the command";
                }
            })
            .should()
            .beFreeOfCycles();

    @Test
    void modules_dependencies_pointDown() {
        modules.check(CLASSES);
        lettuceInItsAdapter.check(CLASSES);
        frameworksInTheirAdapters.check(CLASSES);
        bootOnlyIn(
                        "io.holdfast.spring.boot..",
                        "io.holdfast.inventory..",
                        "io.holdfast.benchmarks..",
                        "io.holdfast.scoreboard..")
                .check(CLASSES);
        jedisInItsAdapter.check(CLASSES);
        noDecimalDurations.check(CLASSES);
    }

    @Test
    void modules_eachModuleOfTheBuild_hasArrows() {
        assertThat(DIRECTORIES.keySet().stream().filter(module -> !WITHOUT_CLASSES.contains(module)))
                .containsExactlyInAnyOrderElementsOf(ARROWS.keySet());
    }

    @Test
    void modules_wrongArrow_violatesTheRule() {
        JavaClasses wrong = new ClassFileImporter()
                .importClasses(io.holdfast.simulation.WrongArrow.class, io.holdfast.redis.FreshServer.class);
        assertThatThrownBy(() -> modules.check(wrong)).hasMessageContaining("WrongArrow");
    }

    @Test
    void jedis_wrongArrow_violatesTheRule() {
        JavaClasses wrong = new ClassFileImporter().importClasses(ModulesTest.class, WrongArrow.class, wrongTarget());
        assertThatThrownBy(() -> jedisInItsAdapter.check(wrong)).hasMessageContaining("WrongArrow");
    }

    @Test
    void boot_moduleThatMayNotKnowIt_violatesTheRule() {
        assertThatThrownBy(() -> bootOnlyIn(
                                "io.holdfast.inventory..", "io.holdfast.benchmarks..", "io.holdfast.scoreboard..")
                        .check(CLASSES))
                .hasMessageContaining("HoldfastAutoConfiguration");
    }

    @Test
    void redisCommands_production_areInTheRedisModule() {
        assertThat(files("core", "jobs", "lettuce", "cli", "simulation").filter(ModulesTest::containsRedisCommand))
                .isEmpty();
    }

    @Test
    void redisCommands_redisModule_areFound() {
        assertThat(files("redis").filter(ModulesTest::containsRedisCommand)).isNotEmpty();
    }

    @Test
    void commandPackages_dependencies_haveNoCircle() {
        commandPackages.check(CLASSES);
    }

    @Test
    void commandPackages_circle_violatesTheRule() {
        JavaClasses wrong = new ClassFileImporter().importClasses(Main.class, Help.class, WrongCircle.class);
        assertThatThrownBy(() -> commandPackages.check(wrong)).hasMessageContaining("WrongCircle");
    }

    @Test
    void packages_production_haveFewFiles() {
        assertThat(largePackages(files(ARROWS.keySet().toArray(String[]::new)))).isEmpty();
    }

    @Test
    void packages_oneFileTooMany_isFound() {
        Stream<Path> files = IntStream.rangeClosed(0, MAX_FILES).mapToObj(i -> Path.of("large", "File" + i + ".java"));
        Stream<Path> fewer = IntStream.range(0, MAX_FILES).mapToObj(i -> Path.of("small", "File" + i + ".java"));

        assertThat(largePackages(Stream.concat(files, fewer))).containsExactly(Path.of("large"));
    }

    /** Returns the directories with too many files; the contracts are tests. */
    private static List<Path> largePackages(Stream<Path> files) {
        return files
                .filter(file ->
                        !file.endsWith("package-info.java") && !parent(file).endsWith("contract"))
                .collect(Collectors.groupingBy(ModulesTest::parent, Collectors.counting()))
                .entrySet()
                .stream()
                .filter(directory -> directory.getValue() > MAX_FILES)
                .map(Map.Entry::getKey)
                .toList();
    }

    private static Path parent(Path file) {
        return Objects.requireNonNull(file.getParent());
    }

    @Test
    void files_production_areShort() {
        assertThat(longerFiles(MAX_LINES)).isEmpty();
    }

    @Test
    void files_tooLong_areFound() {
        assertThat(longerFiles(MAX_LINES / 2)).isNotEmpty();
    }

    /** Returns the files of production code with more lines. A contract is a test: a long list of cases. */
    private static List<Path> longerFiles(int limit) {
        return files(ARROWS.keySet().toArray(String[]::new))
                .filter(file -> !file.toString().contains("/contract/"))
                .filter(file -> lines(file).size() > limit)
                .toList();
    }

    private static Stream<Path> files(String... modules) {
        return Stream.of(modules).flatMap(module -> {
            try (Stream<Path> tree = Files.walk(sources(module))) {
                return tree.filter(file -> file.toString().matches(".*\\.(java|kt)")).toList().stream();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private static Path sources(String module) {
        return directory(module)
                .resolve(
                        switch (module) {
                            case "interop" -> "src/test/java";
                            case "kotlin" -> "src/main/kotlin";
                            default -> "src/main/java";
                        });
    }

    private static boolean containsRedisCommand(Path file) {
        return lines(file).stream().anyMatch(line -> REDIS_COMMAND.matcher(line).find());
    }

    private static String read(Path file) {
        return String.join("\n", lines(file));
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

    /** Violates the rule for the client in its adapter, for the test of the rule. */
    static final class WrongArrow {
        private WrongArrow() {}

        static String client() {
            return redis.clients.jedis.HostAndPort.from("a:6379").getHost();
        }
    }
}
