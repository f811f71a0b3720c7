package io.holdfast.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.Yaml;

/** When the alerts of both files of rules fire, evaluated by Prometheus's own tool in virtual time. */
@Tag("process")
class AlertRulesTest {

    private static final String LIBRARY =
            "integrations/micrometer/src/main/resources/io/holdfast/micrometer/prometheus-alerts.yml";
    private static final String COMMAND = "cli/src/dist/examples/holdfast-alerts.yml";

    /**
     * An alert that does not fire at one moment and fires at another one.
     *
     * @param series the values of series, one for each minute, in the notation of promtool
     * @param labels the labels of the alert that fires
     * @param value the value in its text
     */
    private record Case(
            String rules,
            String alert,
            Map<String, String> series,
            String silentAt,
            String firesAt,
            Map<String, String> labels,
            String value) {

        @Override
        public String toString() {
            return alert + " of " + Path.of(rules).getFileName();
        }
    }

    @TempDir
    private Path directory;

    static List<Case> cases() {
        Map<String, String> job = Map.of("job", "shop", "lock", "nightly", "severity", "warning");
        // Two processes; one of them reads the jobs a minute later than the other one.
        Map<String, String> overdue = Map.of(
                "holdfast_job_overdue{job='shop',instance='a',lock='nightly'}", "0 0 1x9",
                "holdfast_job_overdue{job='shop',instance='b',lock='nightly'}", "0 0 0 1x9",
                "holdfast_job_overdue{job='shop',instance='b',lock='other'}", "0x9");
        Map<String, String> failed = Map.of("holdfast_job_failed{job='shop',instance='a',lock='nightly'}", "_ 0 1x9");
        Map<String, String> one = Map.of("instance", "a", "lock", "nightly");
        return List.of(
                new Case(LIBRARY, "HoldfastJobOverdue", overdue, "3m", "4m", job, "1"),
                new Case(COMMAND, "HoldfastJobOverdue", overdue, "3m", "4m", job, "1"),
                new Case(LIBRARY, "HoldfastJobFailed", failed, "1m", "2m", job, "1"),
                new Case(COMMAND, "HoldfastJobFailed", failed, "1m", "2m", job, "1"),
                new Case(
                        LIBRARY,
                        "HoldfastJobsUnknown",
                        Map.of("holdfast_jobs{instance='a'}", "NaN 3" + " NaN".repeat(9)),
                        "6m",
                        "7m",
                        Map.of("instance", "a", "severity", "warning"),
                        "NaN"),
                new Case(
                        COMMAND,
                        "HoldfastJobsNotRead",
                        Map.of("holdfast_jobs_timestamp_seconds{instance='a'}", "0x90"),
                        "60m",
                        "61m",
                        Map.of("instance", "a"),
                        ""),
                new Case(
                        COMMAND,
                        "HoldfastRunOverdue",
                        Map.of(
                                "holdfast_run_last_success_timestamp_seconds{instance='a',lock='nightly'}", "0x2000",
                                "holdfast_run_last_success_timestamp_seconds{instance='b',lock='nightly'}", "60x2000"),
                        "26h1m",
                        "26h2m",
                        Map.of("lock", "nightly"),
                        ""),
                new Case(
                        COMMAND,
                        "HoldfastRunNeverSucceeded",
                        Map.of("holdfast_run_last_attempt_timestamp_seconds{instance='a',lock='nightly'}", "0x2000"),
                        "25h59m",
                        "26h",
                        Map.of("lock", "nightly"),
                        ""),
                new Case(
                        COMMAND,
                        "HoldfastRunFailed",
                        Map.of("holdfast_run_last_attempt_exit_code{instance='a',lock='nightly'}", "0 75 1"),
                        "1m",
                        "2m",
                        one,
                        "1"),
                new Case(
                        COMMAND,
                        "HoldfastRunNotStarted",
                        Map.of("holdfast_run_last_attempt_timestamp_seconds{instance='a',lock='nightly'}", "0x2000"),
                        "26h",
                        "26h1m",
                        one,
                        ""));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void rule_whenItsConditionHolds_fires(Case rule) throws IOException, InterruptedException {
        requireTool();
        Path test = directory.resolve("test.yml");
        Files.writeString(test, new Yaml().dump(test(rule)));

        Process tool = new ProcessBuilder("promtool", "test", "rules", test.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(tool.waitFor()).as(output).isZero();
    }

    private static void requireTool() {
        assumeTrue(
                Stream.of(System.getenv("PATH").split(":"))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "promtool"))),
                "needs promtool, of Debian's package prometheus");
    }

    /** Each alert about jobs and runs has a case, so a new one cannot be forgotten. */
    @Test
    void cases_allAlertsOfJobs_areThere() {
        List<String> tried =
                cases().stream().map(each -> each.rules() + each.alert()).toList();

        assertThat(Stream.of(LIBRARY, COMMAND)
                        .flatMap(file -> rules(file).stream()
                                .map(rule -> String.valueOf(rule.get("alert")))
                                .filter(alert -> alert.matches("Holdfast(Job|Run).*"))
                                .map(file::concat)))
                .containsExactlyInAnyOrderElementsOf(tried);
    }

    /** A metric of the command has the meaning of the meter of the same name. */
    @Test
    void rules_ofTheSameAlert_areTheSameInBothFiles() {
        for (String alert : List.of("HoldfastJobOverdue", "HoldfastJobFailed")) {
            assertThat(rule(COMMAND, alert)).isEqualTo(rule(LIBRARY, alert));
        }
    }

    private static Map<String, ?> test(Case rule) {
        List<Map<String, String>> series = rule.series().entrySet().stream()
                .map(each -> Map.of("series", each.getKey().replace('\'', '"'), "values", each.getValue()))
                .toList();
        return Map.of(
                "rule_files",
                List.of(CodeBlock.ROOT.resolve(rule.rules()).toString()),
                "evaluation_interval",
                "1m",
                "tests",
                List.of(Map.of(
                        "interval",
                        "1m",
                        "input_series",
                        series,
                        "alert_rule_test",
                        List.of(
                                moment(rule, rule.silentAt(), List.of()),
                                moment(rule, rule.firesAt(), firing(rule))))));
    }

    private static Map<String, Object> moment(Case rule, String time, List<?> alerts) {
        return Map.of("eval_time", time, "alertname", rule.alert(), "exp_alerts", alerts);
    }

    private static List<?> firing(Case rule) {
        Map<String, String> texts = new TreeMap<>();
        for (Map.Entry<?, ?> text :
                ((Map<?, ?>) value(Map.class, rule(rule.rules(), rule.alert()), "annotations")).entrySet()) {
            texts.put(String.valueOf(text.getKey()), filled(String.valueOf(text.getValue()), rule));
        }
        return List.of(Map.of("exp_labels", rule.labels(), "exp_annotations", texts));
    }

    private static String filled(String text, Case rule) {
        String filled = text.replace("{{ $value }}", rule.value());
        for (Map.Entry<String, String> label : rule.labels().entrySet()) {
            filled = filled.replace("{{ $labels." + label.getKey() + " }}", label.getValue());
        }
        return filled;
    }

    private static Map<?, ?> rule(String file, String alert) {
        return rules(file).stream()
                .filter(rule -> alert.equals(rule.get("alert")))
                .findFirst()
                .orElseThrow();
    }

    private static List<Map<?, ?>> rules(String file) {
        Map<?, ?> content = new Yaml().<Map<?, ?>>load(CodeBlock.read(file));
        List<Map<?, ?>> rules = new ArrayList<>();
        for (Object group : value(Collection.class, content, "groups")) {
            for (Object rule : value(Collection.class, (Map<?, ?>) group, "rules")) {
                rules.add((Map<?, ?>) rule);
            }
        }
        return rules;
    }

    private static <T> T value(Class<T> type, Map<?, ?> content, String key) {
        return type.cast(Objects.requireNonNull(content.get(key), key));
    }
}
