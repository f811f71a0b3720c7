package io.holdfast.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** Each metric, label and value of the dashboard and of the alert rules exists in a scrape. */
class DashboardTest {

    private static final Pattern SELECTOR = Pattern.compile("\\b(holdfast_\\w+)(?:\\{([^}]*)\\})?");
    private static final Pattern MATCHER = Pattern.compile("(\\w+)(=~|=|!=|!~)\"([^\"]*)\"");
    private static final Pattern GROUPING = Pattern.compile("\\b(?:by|on) \\(([^)]*)\\)");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");

    /** Labels that the scrape adds. */
    private static final Set<String> OF_PROMETHEUS = Set.of("job", "instance");

    private final List<String> scrape = scrape();

    private static List<String> scrape() {
        Scene scene = new Scene();
        scene.runThroughEverything();
        return scene.registry
                .scrape()
                .lines()
                .filter(line -> !line.startsWith("#"))
                .toList();
    }

    @Test
    void dashboard_expressions_matchTheScrape() throws IOException {
        Set<String> expressions = values(read("grafana-dashboard.json"), Set.of("expr", "definition"));

        assertThat(expressions).hasSizeGreaterThan(15);
        assertThat(expressions.stream().flatMap(this::errors)).isEmpty();
    }

    @Test
    void alerts_expressions_matchTheScrape() throws IOException {
        Set<String> expressions = values(read("prometheus-alerts.yml"), Set.of("expr"));

        assertThat(expressions).hasSize(9);
        assertThat(expressions.stream().flatMap(this::errors)).isEmpty();
    }

    @Test
    void meters_all_areOnTheDashboard() throws IOException {
        String dashboard =
                values(read("grafana-dashboard.json"), Set.of("expr")).toString();

        Stream<String> families = scrape.stream()
                .map(line -> line.split("[{ ]", 2)[0].replaceFirst("_(bucket|sum|count|max)$", ""))
                .distinct();
        assertThat(families.filter(family -> !dashboard.contains(family))).isEmpty();
    }

    /** Each bucket is a time series for every lock, mode and outcome. */
    @Test
    void meters_histogram_hasFewBuckets() {
        List<String> buckets = scrape.stream()
                .filter(line -> line.startsWith("holdfast_acquire_seconds_bucket{lock=\"order\"")
                        && line.contains("\"acquired\""))
                .toList();

        assertThat(buckets).hasSize(12).anyMatch(line -> line.contains("le=\"10.0\""));
    }

    @Test
    void errors_unknownNames_areFound() {
        assertThat(errors("holdfast_acquire_seconds_total")).isNotEmpty();
        assertThat(errors("holdfast_leases{locks=\"a\"}")).isNotEmpty();
        assertThat(errors("sum by (reason) (holdfast_leases)")).isNotEmpty();
        assertThat(errors("holdfast_acquire_seconds_count{outcome=\"granted\"}"))
                .isNotEmpty();
    }

    private Stream<String> errors(String expression) {
        Set<String> labels = new HashSet<>(OF_PROMETHEUS);
        Set<String> errors = new TreeSet<>();
        for (MatchResult selector : SELECTOR.matcher(expression).results().toList()) {
            List<String> series = series(selector.group(1));
            if (series.isEmpty()) {
                errors.add(expression + ": no metric " + selector.group(1));
            }
            series.forEach(line -> LABEL.matcher(line).results().forEach(label -> labels.add(label.group(1))));
            errorsOfMatchers(selector.group(2), series).forEach(error -> errors.add(expression + ": " + error));
        }
        GROUPING.matcher(expression)
                .results()
                .flatMap(grouping -> Arrays.stream(grouping.group(1).split(", *", -1)))
                .filter(label -> !labels.contains(label))
                .forEach(label -> errors.add(expression + ": no label " + label));
        return errors.stream();
    }

    private static Stream<String> errorsOfMatchers(
            @org.jspecify.annotations.Nullable String matchers, List<String> series) {
        return matchers == null
                ? Stream.of()
                : MATCHER.matcher(matchers)
                        .results()
                        .filter(matcher -> !OF_PROMETHEUS.contains(matcher.group(1)))
                        .filter(matcher -> series.stream().noneMatch(line -> line.contains(expected(matcher))))
                        .map(matcher -> "no series with " + matcher.group());
    }

    private static String expected(MatchResult matcher) {
        boolean exact = matcher.group(2).equals("=");
        return matcher.group(1) + "=\"" + (exact ? matcher.group(3) + "\"" : "");
    }

    private List<String> series(String metric) {
        Matcher own = Pattern.compile(Pattern.quote(metric) + "[{ ].*").matcher("");
        return scrape.stream().filter(line -> own.reset(line).matches()).toList();
    }

    /** Reads JSON as well, which is a kind of YAML. */
    private static Object read(String resource) throws IOException {
        try (InputStream in = HoldfastMetrics.class.getResourceAsStream(resource)) {
            return new Yaml().load(Objects.requireNonNull(in));
        }
    }

    private static Set<String> values(Object tree, Set<String> keys) {
        Set<String> found = new TreeSet<>();
        if (tree instanceof Map<?, ?> map) {
            map.forEach((key, value) -> {
                if (keys.contains(key)) {
                    found.add((String) value);
                } else {
                    found.addAll(values(value, keys));
                }
            });
        } else if (tree instanceof Collection<?> list) {
            list.forEach(element -> found.addAll(values(element, keys)));
        }
        return found;
    }
}
