package io.holdfast.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.DocumentedCommand;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/** Every command line of the examples for cron, systemd and containers is understood. */
@Tag("slow")
class PackagedExamplesTest {

    private static final Pattern LINE = Pattern.compile("(?m)\\bholdfast ((?:run|admit) .*?)(?: \\|\\| true.*)?$");
    private static final Pattern IMAGE = Pattern.compile("(?m)^CMD (\\[.*])$");

    @ParameterizedTest
    @ValueSource(strings = {"holdfast.cron", "holdfast@.service"})
    void example_ofAnInstallation_isUnderstood(String file) {
        List<String> lines = LINE.matcher(CodeBlock.read("cli/src/dist/examples/" + file))
                .results()
                .map(line -> line.group(1))
                .toList();

        assertThat(lines).isNotEmpty();
        lines.forEach(line -> parse(List.of(line.split(" +"))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"compose/compose.yaml", "kubernetes/cronjob.yaml", "kubernetes/leader.yaml"})
    void manifest_ofPackaging_isUnderstood(String file) {
        List<List<String>> commands = new ArrayList<>();
        new Yaml().loadAll(CodeBlock.read("packaging/" + file)).forEach(manifest -> collect(manifest, commands));

        assertThat(commands).isNotEmpty().allSatisfy(PackagedExamplesTest::parse);
    }

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "container/Containerfile"})
    void image_command_isUnderstood(String file) {
        List<List<String>> commands = new ArrayList<>();
        IMAGE.matcher(CodeBlock.read("packaging/" + file))
                .results()
                .forEach(command -> commands.add(new Yaml().load(command.group(1))));

        assertThat(commands).isNotEmpty().allSatisfy(PackagedExamplesTest::parse);
    }

    /** Adds the arguments of each container, which begin with the name of a command. */
    private static void collect(Object value, List<List<String>> commands) {
        if (value instanceof Map<?, ?> fields) {
            fields.values().forEach(field -> collect(field, commands));
        } else if (value instanceof Collection<?> items) {
            List<String> words = items.stream().map(String::valueOf).toList();
            if (words.get(0).equals("run")) {
                commands.add(words);
            }
            items.forEach(item -> collect(item, commands));
        }
    }

    private static void parse(List<String> words) {
        DocumentedCommand.parse(DocumentedShellTest.withNodes(words));
    }
}
