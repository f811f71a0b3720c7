package io.holdfast.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every block of code in the documents has a test, or a reason to have none. */
class DocumentedBlocksTest {

    /** DocumentedJavaTest, DocumentedShellTest, and the tests below. */
    private static final Set<String> TESTED = Set.of("java", "", "xml", "properties", "sql", "kotlin", "groovy");

    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(.+?)</artifactId>");
    private static final Pattern COORDINATES = Pattern.compile("'(io\\.holdfast:.+?)'");
    private static final Pattern VERSION = Pattern.compile("<version>(.+?)</version>");
    private static final Pattern KEY = Pattern.compile("(?m)^([a-z.-]+)=");
    private static final String METADATA = "META-INF/spring-configuration-metadata.json";

    private static List<String> found(Pattern pattern, String language) {
        return CodeBlock.of(language).stream()
                .flatMap(block -> pattern.matcher(block.text()).results())
                .map((MatchResult match) -> match.group(1))
                .toList();
    }

    @Test
    void blocks_languages_areThoseWithATest() {
        assertThat(CodeBlock.all()).allMatch(block -> TESTED.contains(block.language()));
    }

    @Test
    void blocks_withoutATest_exist() {
        Set<String> keys = CodeBlock.of("").stream().map(UntestedBlocks::key).collect(Collectors.toSet());

        assertThat(keys).containsAll(UntestedBlocks.REASONS.keySet());
    }

    @Test
    void xml_dependencies_arePublishedInThisVersion() {
        // BomTest compares the BOM with the published modules.
        String bom = CodeBlock.read("build/bom/pom.xml");
        assertThat(found(ARTIFACT, "xml"))
                .isNotEmpty()
                .allSatisfy(artifact -> assertThat(bom).contains("<artifactId>" + artifact + "</artifactId>"));
        assertThat(found(VERSION, "xml")).isNotEmpty().containsOnly(JavaCall.version());
    }

    @Test
    void gradle_dependencies_areThoseOfMaven() {
        List<String> ofMaven = CodeBlock.of("xml").stream()
                .filter(block -> block.document().equals("site/pages/front.md"))
                .map(block -> "io.holdfast:" + group(ARTIFACT, block) + ":" + group(VERSION, block))
                .toList();

        assertThat(ofMaven).isNotEmpty();
        assertThat(found(COORDINATES, "groovy")).isEqualTo(ofMaven);
    }

    private static String group(Pattern pattern, CodeBlock block) {
        Matcher matcher = pattern.matcher(block.text());
        assertThat(matcher.find()).isTrue();
        return matcher.group(1);
    }

    @Test
    void properties_keys_areThoseOfTheStarter() throws Exception {
        StringBuilder metadata = new StringBuilder();
        for (URL url : Collections.list(getClass().getClassLoader().getResources(METADATA))) {
            try (InputStream in = url.openStream()) {
                metadata.append(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        assertThat(found(KEY, "properties"))
                .isNotEmpty()
                .allSatisfy(key -> assertThat(metadata).contains("\"" + key + "\""));
    }

    @Test
    void sql_statement_isThatOfTheTestedExample() {
        String example = CodeBlock.read("examples/src/main/java/io/holdfast/examples/FencedTable.java");

        assertThat(CodeBlock.of("sql"))
                .isNotEmpty()
                .allSatisfy(block -> assertThat(flat(example)).contains(flat(block.text())));
    }

    @Test
    void kotlin_example_isThatOfTheTest() {
        String test = CodeBlock.read("integrations/kotlin/src/test/kotlin/io/holdfast/kotlin/WithLockTest.kt");

        assertThat(CodeBlock.of("kotlin"))
                .isNotEmpty()
                .allSatisfy(block -> assertThat(flat(test)).contains(flat(block.text())));
    }

    private static String flat(String text) {
        return Stream.of(text.split("[\\s\"+]+"))
                .collect(Collectors.joining(" "))
                .strip();
    }

    @Test
    void blocks_ofAText_haveTheirLineAndLanguage() {
        assertThat(CodeBlock.blocks("a.md", "One\n\n```java [Java]\nint a;\n```\n\n```\nls\n```\n"))
                .containsExactly(new CodeBlock("a.md", 3, "java", "int a;\n"), new CodeBlock("a.md", 7, "", "ls\n"));
    }
}
