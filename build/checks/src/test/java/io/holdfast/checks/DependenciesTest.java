package io.holdfast.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each dependency of each published module has a line in docs/dependencies.md, and each line has a dependency. */
class DependenciesTest {

    private static final String EVERYWHERE = "org.jspecify:jspecify";
    private static final String COMMAND = "holdfast-cli";

    private static final Pattern MANAGED =
            Pattern.compile("<dependencyManagement>.*?</dependencyManagement>|<build>.*</build>", Pattern.DOTALL);
    private static final Pattern DEPENDENCY = Pattern.compile(
            "<dependency>\\s*<groupId>([^<]+)</groupId>\\s*<artifactId>([^<]+)</artifactId>(.*?)</dependency>",
            Pattern.DOTALL);
    private static final Pattern NO_OTHER_NETTY = Pattern.compile(
            "<exclusion>\\s*<groupId>io.netty</groupId>\\s*<artifactId>\\*</artifactId>\\s*</exclusion>");
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| (?:`([^`]+)`|(the command)) \\| `([^`]+)` \\| (\\S+) \\| (.{10,}) \\|$");

    private static Map<String, Set<String>> inPoms() {
        Map<String, Path> modules = new TreeMap<>(SourceFiles.publishedModules());
        modules.put(COMMAND, SourceFiles.ROOT.resolve("cli"));
        Map<String, Set<String>> found = new TreeMap<>();
        modules.forEach((name, module) -> found.put(name, dependencies(SourceFiles.read(module.resolve("pom.xml")))));
        return found;
    }

    private static Stream<MatchResult> declared(String pom) {
        return DEPENDENCY.matcher(MANAGED.matcher(pom).replaceAll("")).results();
    }

    /** Returns the parts of Netty that bring other parts, in the version that Holdfast's own build uses. */
    private static List<String> unboundNetty(String pom) {
        return declared(pom)
                .filter(found -> found.group(1).equals("io.netty"))
                .filter(found -> !NO_OTHER_NETTY.matcher(found.group(3)).find())
                .map(found -> found.group(2))
                .toList();
    }

    private static Set<String> dependencies(String pom) {
        return declared(pom)
                .filter(found -> !found.group(1).equals("io.holdfast"))
                .filter(found -> !found.group(3).contains("<scope>test</scope>"))
                .map(found -> found.group(1) + ":" + found.group(2))
                .filter(name -> !name.equals(EVERYWHERE))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Map<String, Set<String>> inDocument() {
        return ROW.matcher(SourceFiles.read(SourceFiles.ROOT.resolve("docs/dependencies.md")))
                .results()
                .collect(Collectors.groupingBy(
                        row -> row.group(1) == null ? COMMAND : row.group(1),
                        TreeMap::new,
                        Collectors.mapping(row -> row.group(3), Collectors.toCollection(TreeSet::new))));
    }

    @Test
    void dependencies_ofPublishedModules_areJustified() {
        Map<String, Set<String>> used = inPoms();
        used.values().removeIf(Set::isEmpty);

        assertThat(inDocument()).isEqualTo(used).hasSizeGreaterThan(5);
    }

    /** An application that keeps an older Lettuce would get two versions of Netty, which do not work together. */
    @Test
    void dependencies_partsOfNetty_bringNoOtherPart() {
        assertThat(SourceFiles.publishedModules().values())
                .allSatisfy(module -> assertThat(unboundNetty(SourceFiles.read(module.resolve("pom.xml"))))
                        .as(module.toString())
                        .isEmpty());
    }

    @Test
    void dependencies_ofAPom_areThoseOutsideOfTests() {
        String dependency = "<dependency>\n <groupId>%s</groupId>\n <artifactId>%s</artifactId>%s</dependency>";
        String pom = "<dependencyManagement>" + dependency.formatted("m", "m", "") + "</dependencyManagement>"
                + dependency.formatted("a", "b", "<optional>true</optional>")
                + dependency.formatted("c", "d", "<scope>test</scope>")
                + "<build>" + dependency.formatted("p", "p", "") + "</build>";

        assertThat(dependencies(pom)).containsExactly("a:b");
    }
}
