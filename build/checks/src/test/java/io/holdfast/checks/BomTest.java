package io.holdfast.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The BOM has each published module, and nothing else. */
class BomTest {

    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(.*?)</artifactId>");
    private static final Pattern VERSION = Pattern.compile("<version>(.*?)</version>");
    private static final Pattern GROUP = Pattern.compile("<groupId>(.*?)</groupId>");

    private static String management() {
        String bom = SourceFiles.read(SourceFiles.ROOT.resolve("build/bom/pom.xml"));
        return bom.substring(bom.indexOf("<dependencyManagement>"), bom.indexOf("</dependencyManagement>"));
    }

    private static List<String> all(Pattern pattern, String content) {
        return pattern.matcher(content)
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
    }

    @Test
    void bom_artifacts_areThePublishedModules() {
        Set<String> published = new TreeSet<>(SourceFiles.publishedModules().keySet());
        published.remove("holdfast-bom");

        assertThat(new TreeSet<>(all(ARTIFACT, management()))).isEqualTo(published);
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
