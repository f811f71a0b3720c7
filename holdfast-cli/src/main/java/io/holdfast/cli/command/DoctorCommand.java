package io.holdfast.cli.command;

import io.holdfast.admin.LockAdmin;
import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.cli.output.Json;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import io.holdfast.cli.syntax.CommandSpec;
import io.holdfast.node.Diagnosis;
import io.holdfast.node.Finding;
import io.holdfast.node.NodeAnswer;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The command {@code doctor}: examines the nodes and reports problems with their remedies. */
public final class DoctorCommand extends AdminCommand {

    private static final CommandOption JSON = CommandOption.of(
            "--json",
            "Print one object: verdict (0, 1 or 2), and nodes, each with node, facts and findings (severity, text,"
                    + " remedy).");

    private static final int WARNINGS = 1;
    private static final int ERRORS = 2;

    public DoctorCommand(Terminal terminal, PrintStream out) {
        super(terminal, out);
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("doctor", "Examines the servers and prints a remedy for each problem.")
                .with(JSON)
                .with(NodesOptions.OPTIONS)
                .withFooter("""
                        Changes nothing and takes a second or two. Reports the checks that the user of
                        the servers has no right to make.

                        Exit code: 0 no problem; 1 there are warnings; 2 there are errors, or no
                        majority can vote.
                        """);
    }

    @Override
    int execute(LockAdmin admin, Arguments arguments) {
        List<NodeAnswer<Diagnosis>> reports = admin.examine();
        int verdict = verdict(reports);
        if (arguments.has(JSON)) {
            out().println(Json.object(Json.fields(
                    "verdict",
                    verdict,
                    "nodes",
                    reports.stream().map(DoctorCommand::fields).toList())));
        } else {
            reports.forEach(this::print);
            out().println(summary(reports));
        }
        return verdict;
    }

    private static int verdict(List<NodeAnswer<Diagnosis>> reports) {
        if (reports.stream().anyMatch(report -> has(report, Finding.Severity.ERROR))) {
            return ERRORS;
        }
        return reports.stream().anyMatch(report -> has(report, Finding.Severity.WARNING)) ? WARNINGS : ExitCode.OK;
    }

    private static String summary(List<NodeAnswer<Diagnosis>> reports) {
        long fit = reports.stream()
                .filter(report -> !has(report, Finding.Severity.ERROR))
                .count();
        int majority = reports.size() / 2 + 1;
        return fit + " of " + reports.size() + (reports.size() == 1 ? " node is fit" : " nodes are fit") + " to vote; "
                + (fit >= majority ? "a majority of " + majority + " is available" : "NO MAJORITY of " + majority);
    }

    private static boolean has(NodeAnswer<Diagnosis> report, Finding.Severity severity) {
        return diagnosis(report).findings().stream().anyMatch(finding -> finding.severity() == severity);
    }

    private static Diagnosis diagnosis(NodeAnswer<Diagnosis> report) {
        Diagnosis diagnosis = report.value();
        return diagnosis == null ? new Diagnosis(Map.of(), List.of(Finding.error(report.error(), ""))) : diagnosis;
    }

    private void print(NodeAnswer<Diagnosis> report) {
        out().println(report.node());
        diagnosis(report).facts().forEach((name, value) -> out().printf("  %-16s %s%n", name, value));
        if (diagnosis(report).findings().isEmpty()) {
            out().println("  ok");
        }
        for (Finding finding : diagnosis(report).findings()) {
            out().println("  " + finding.severity() + ": " + finding.text());
            if (!finding.remedy().isEmpty()) {
                out().println("    remedy: " + finding.remedy());
            }
        }
    }

    private static Map<String, Object> fields(NodeAnswer<Diagnosis> report) {
        return Json.fields(
                "node", report.node(),
                "facts", diagnosis(report).facts(),
                "findings",
                        diagnosis(report).findings().stream()
                                .map(DoctorCommand::fields)
                                .toList());
    }

    private static Map<String, Object> fields(Finding finding) {
        return Json.fields(
                "severity", finding.severity().name().toLowerCase(Locale.ROOT),
                "text", finding.text(),
                "remedy", finding.remedy());
    }
}
