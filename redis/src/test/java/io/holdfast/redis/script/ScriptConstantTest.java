package io.holdfast.redis.script;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that a value which scripts share with Java, or with each other, is written once. */
class ScriptConstantTest {

    private static final Path SCRIPTS = Path.of("src/main/resources/io/holdfast/redis/script");
    private static final Pattern SUMMARY_PART = Pattern.compile("string\\.sub\\(summary, ([0-9, ]+)\\)");

    /** Returns the code of each script, by the name of its file. */
    private static Map<String, String> scripts() throws IOException {
        try (Stream<Path> files = Files.walk(SCRIPTS)) {
            return files.filter(file -> file.toString().endsWith(".lua"))
                    .collect(toMap(file -> file.getFileName().toString(), ScriptConstantTest::text));
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the constants whose values the code of a script contains. */
    private static List<ScriptConstant> literalsIn(String script) {
        String code = script.replaceAll("--.*", "");
        return Stream.of(ScriptConstant.values())
                .filter(constant -> Pattern.compile("(?<!\\w)" + Pattern.quote(constant.literal()) + "(?!\\w)")
                        .matcher(code)
                        .find())
                .toList();
    }

    @Test
    void scripts_valuesThatJavaKnows_areNoLiterals() throws IOException {
        Map<String, List<ScriptConstant>> found = new TreeMap<>();
        scripts().forEach((name, script) -> found.put(name, literalsIn(script)));

        assertThat(found)
                .hasSizeGreaterThan(20)
                .allSatisfy((name, constants) -> assertThat(constants).as(name).isEmpty());
        assertThat(literalsIn("redis.call('SET', key, top, 'PX', 1800000) -- 200"))
                .containsExactly(ScriptConstant.FENCE_MILLIS);
        assertThat(literalsIn("x = '~' .. y")).containsExactly(ScriptConstant.SHARE_PREFIX);
    }

    @Test
    void constants_all_areDeclaredByAScript() throws IOException {
        String all = scripts().values().stream().collect(joining());

        assertThat(ScriptConstant.values())
                .allSatisfy(constant -> assertThat(all).contains("\n-- @constant " + constant + "\n"));
    }

    /** The summary of a marker has no names for its parts, and the fast paths read it. */
    @Test
    void summary_readBySingleClaimsAndByBatches_hasTheSameParts() throws IOException {
        Set<String> parts = summaryParts("acquire.lua");

        assertThat(parts).hasSize(4);
        assertThat(summaryParts("claim_all.lua")).isEqualTo(parts);
    }

    private static Set<String> summaryParts(String script) throws IOException {
        return SUMMARY_PART
                .matcher(Objects.requireNonNull(scripts().get(script)))
                .results()
                .map((MatchResult match) -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
