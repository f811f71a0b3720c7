package io.holdfast.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The BOM has each published module, and nothing else. */
class BomTest {

    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(.*?)</artifactId>");
    private static final Pattern VERSION = Pattern.compile("<version>(.*?)</version>");
    private static final Pattern GROUP = Pattern.compile("<groupId>(.*?)</groupId>");

    private static String management() {
        String bom = SourceFiles.read(SourceFiles.ROOT.resolve("holdfast-bom").resolve("pom.xml"));
        return bom.substring(bom.indexOf("<dependencyManagement>"), bom.indexOf("</dependencyManagement>"));
    }

    private static List<String> all(Pattern pattern, String content) {
        return pattern.matcher(content)
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
    }

    private static boolean isPublished(Path module) {
        return SourceFiles.read(module.resolve("pom.xml")).contains("<maven.deploy.skip>false");
    }

    @Test
    void bom_artifacts_areThePublishedModules() {
        String bom = management();
        try (Stream<Path> directories = Files.list(SourceFiles.ROOT)) {
            assertThat(new TreeSet<>(all(ARTIFACT, bom)))
                    .isEqualTo(directories
                            .filter(directory ->
                                    directory.getFileName().toString().startsWith("holdfast-"))
                            .filter(directory -> Files.exists(directory.resolve("pom.xml")))
                            .filter(BomTest::isPublished)
                            .filter(directory -> !directory.endsWith("holdfast-bom"))
                            .map(directory -> directory.getFileName().toString())
                            .collect(Collectors.toCollection(TreeSet::new)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Versions of other projects would replace those that an application has chosen. */
    @Test
    void bom_groups_areHoldfastOnly() {
        assertThat(all(GROUP, management())).containsOnly("io.holdfast");
    }

    @Test
    void bom_versions_areThatOfTheParent() {
        String parent = SourceFiles.read(SourceFiles.ROOT.resolve("pom.xml"));

        assertThat(all(VERSION, management())).containsOnly(all(VERSION, parent).get(0));
    }
}
