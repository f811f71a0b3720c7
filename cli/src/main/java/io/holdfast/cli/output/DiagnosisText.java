package io.holdfast.cli.output;

import io.holdfast.console.json.Json;
import io.holdfast.node.Diagnosis;
import io.holdfast.node.Diagnosis.Finding;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/** The diagnosis of a node as text and as JSON. */
public final class DiagnosisText {

    /** The units with which the names of facts end, and their notation. */
    private static final Map<String, String> UNITS = Map.of("millis", "ms", "seconds", "s", "percent", "%");

    private static final long MILLIS_PER_SECOND = 1_000;

    private DiagnosisText() {}

    /** Describes a node on several lines. */
    public static String of(String node, Diagnosis diagnosis) {
        StringBuilder text = new StringBuilder();
        line(text, node);
        diagnosis.facts().forEach((name, value) -> line(text, fact(name, value)));
        if (diagnosis.findings().isEmpty()) {
            line(text, "  ok");
        }
        for (Finding finding : diagnosis.findings()) {
            line(text, "  " + severity(finding).toUpperCase(Locale.ROOT) + ": " + finding.text());
            if (!finding.remedy().isEmpty()) {
                line(text, "    remedy: " + finding.remedy());
            }
        }
        return text.toString();
    }

    private static void line(StringBuilder text, String line) {
        text.append(line).append(System.lineSeparator());
    }

    /** Returns a fact as a line: {@code roundTripMillis} and 0.5 as {@code round trip  0.5 ms}. */
    private static String fact(String name, Object value) {
        String words = words(name);
        String last = words.substring(words.lastIndexOf(' ') + 1);
        String unit = UNITS.getOrDefault(last, "");
        String label = unit.isEmpty() ? words : words.substring(0, words.length() - last.length() - 1);
        return String.format(Locale.ROOT, "  %-16s %s", label, text(value, unit));
    }

    private static String text(Object value, String unit) {
        boolean isLong = unit.equals("ms") && value instanceof Number millis && millis.longValue() >= MILLIS_PER_SECOND;
        if (isLong && value instanceof Number millis) {
            return DurationText.measured(Duration.ofMillis(millis.longValue()));
        }
        return text(value) + (unit.isEmpty() ? "" : " " + unit);
    }

    private static String words(String name) {
        return name.contains(" ") ? name : name.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
    }

    private static String text(Object value) {
        return value instanceof Boolean flag ? (flag ? "yes" : "no") : value.toString();
    }

    private static String severity(Finding finding) {
        return finding.severity().name().toLowerCase(Locale.ROOT);
    }

    /** Returns the fields of a node in JSON. */
    public static Map<String, Object> fields(String node, Diagnosis diagnosis) {
        return Json.fields(
                "node", node,
                "facts", diagnosis.facts(),
                "findings",
                        diagnosis.findings().stream().map(DiagnosisText::fields).toList());
    }

    private static Map<String, Object> fields(Finding finding) {
        return Json.fields("severity", severity(finding), "text", finding.text(), "remedy", finding.remedy());
    }
}
