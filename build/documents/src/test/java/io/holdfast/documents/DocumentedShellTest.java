package io.holdfast.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.cli.DocumentedCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every block of shell is run by a shell, with programs that record their arguments. The parser of the command then
 * parses those of {@code holdfast}; files and modules that others name exist.
 */
@Tag("slow")
class DocumentedShellTest {

    /** The fields of crontab(5) before a command. */
    private static final Pattern TIMES = Pattern.compile("(?m)^(?:[\\d*/]+ +){5}(?=holdfast)");

    private static final Pattern COMMENT = Pattern.compile("(?m) +#.*$");
    private static final Pattern FILE =
            Pattern.compile("(?m)(?<![\\w/.-])(?:\\./holdfast|[a-z-]+(?:/[a-z-]+)+)(?= |$)");
    private static final List<String> NODES = List.of("--nodes", "redis://a:6379,redis://b:6379,redis://c:6379");

    @TempDir
    private Path directory;

    static List<CodeBlock> blocks() {
        return CodeBlock.of("").stream()
                .filter(block -> !UntestedBlocks.REASONS.containsKey(UntestedBlocks.key(block)))
                .toList();
    }

    /** Returns the command lines within the prose, without those that only name a command or leave out a part. */
    static List<CodeBlock> spans() {
        return CodeBlock.spans().stream()
                .filter(span ->
                        span.text().startsWith("holdfast ") || span.text().startsWith("./holdfast "))
                .filter(span -> !span.text().contains("…"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("blocks")
    void block_shell_isUnderstood(CodeBlock block) throws Exception {
        List<List<String>> calls = run(TIMES.matcher(block.text()).replaceAll(""));

        assertThat(calls).isNotEmpty().allSatisfy(DocumentedShellTest::check);
    }

    @ParameterizedTest
    @MethodSource("spans")
    void span_commandLine_isUnderstood(CodeBlock span) throws Exception {
        List<List<String>> calls = run(span.text().replace("\\|", "|"));

        assertThat(calls).isNotEmpty();
        for (List<String> call : calls) {
            String option = call.size() == 3 ? call.get(2) : "";
            if (call.size() == 2 || (option.startsWith("-") && !option.equals("--"))) {
                // It only names a command, or a command and an option of it.
                assertThat(DocumentedCommand.exists(call.get(1), option)).isTrue();
            } else {
                check(call);
            }
        }
    }

    @Test
    void check_optionThatDoesNotExist_fails() throws Exception {
        List<List<String>> calls = run("holdfast run nightly --onceper @daily -- ./backup.sh");

        assertThatThrownBy(() -> check(calls.get(0))).hasMessageContaining("--onceper");
    }

    @Test
    void check_valueThatIsWrong_fails() throws Exception {
        List<List<String>> calls = run("holdfast run nightly --once-per @dayly -- ./backup.sh");

        assertThatThrownBy(() -> check(calls.get(0))).hasMessageContaining("@dayly");
    }

    @Test
    void check_testThatSurefireDoesNotRun_fails() throws Exception {
        List<List<String>> calls = run("mvn verify -pl cli -Dtest=CronTest");

        assertThatThrownBy(() -> check(calls.get(0))).isInstanceOf(AssertionError.class);
    }

    @Test
    void run_programThatIsUnknown_fails() {
        assertThatThrownBy(() -> run("holdfst run nightly")).hasMessageContaining("not found");
    }

    private List<List<String>> run(String text) throws Exception {
        String block = COMMENT.matcher(text).replaceAll("");
        Sandbox sandbox =
                new Sandbox(directory).with("holdfast", "java", "mvn", "tar", "systemctl", "first-half", "second-half");
        for (String file : FILE.matcher(block)
                .results()
                .map(match -> match.group())
                .distinct()
                .toList()) {
            assertThat(CodeBlock.ROOT.resolve(file)).isExecutable();
            sandbox.withFile(file);
        }
        assertThat(sandbox.run(block)).doesNotContain("not found").doesNotContainIgnoringCase("syntax error");
        return sandbox.calls();
    }

    private static void check(List<String> call) {
        List<String> words = call.subList(1, call.size());
        switch (call.get(0)) {
            case "holdfast" -> DocumentedCommand.parse(withNodes(asTheScriptPasses(words)));
            case "mvn" -> MavenCall.check(words);
            case "java" -> JavaCall.check(words);
            case "systemctl" -> assertThat(words).contains("holdfast@nightly.timer");
            default -> assertThat(call).isNotEmpty();
        }
    }

    /** The script `bin/holdfast` makes a command of a command line. */
    private static List<String> asTheScriptPasses(List<String> words) {
        int at = words.indexOf("-c");
        List<String> passed = new ArrayList<>(words);
        if (at >= 0 && !words.contains("--")) {
            passed.addAll(at, List.of("--", "/bin/sh"));
        }
        return passed;
    }

    /** The servers of the reader come from the environment or from a file. */
    static List<String> withNodes(List<String> words) {
        boolean isComplete = !words.get(0).equals("run") || words.contains("--local") || words.contains("--nodes");
        List<String> all = new ArrayList<>(words);
        if (!isComplete) {
            all.addAll(1, NODES);
        }
        return all;
    }

    @Test
    void systemd_unitOfTheDocuments_exists() throws Exception {
        try (var tree = Files.walk(CodeBlock.ROOT.resolve("cli/src"))) {
            assertThat(tree).anyMatch(file -> file.endsWith("holdfast@.timer"));
        }
    }
}
