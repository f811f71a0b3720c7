package io.holdfast.cli;

import io.holdfast.NodeReport;
import io.holdfast.Operator;
import io.holdfast.cli.line.Arguments;
import io.holdfast.cli.line.Flag;
import io.holdfast.cli.line.Page;
import io.holdfast.node.Finding;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Whether the nodes are fit to vote. */
final class DoctorCommand extends OperatorCommand {

    private static final Flag JSON = Flag.of(
            "--json",
            "Print one object: verdict (0, 1 or 2), and nodes, each with node, facts and findings (weight, text, remedy).");

    private static final int WARNINGS = 1;
    private static final int ERRORS = 2;

    DoctorCommand(Terminal terminal, PrintStream out) {
        super(terminal, out);
    }

    @Override
    public Page page() {
        return Page.of("doctor", "Examines the servers, and says what to do about what it finds.")
                .with(JSON)
                .with(NodesOptions.FLAGS)
                .ending("""
                        Changes nothing. What the user of the servers may not see is said, and not
                        guessed. Takes a second or two.

                        Exit code: 0 all is well; 1 there are warnings; 2 there are errors, or no
                        majority can vote.
                        """);
    }

    @Override
    int operate(Operator operator, Arguments given) {
        List<NodeReport> reports = operator.examine();
        int verdict = verdict(reports);
        if (given.has(JSON)) {
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

    private static int verdict(List<NodeReport> reports) {
        if (reports.stream().anyMatch(report -> has(report, Finding.Weight.ERROR))) {
            return ERRORS;
        }
        return reports.stream().anyMatch(report -> has(report, Finding.Weight.WARNING)) ? WARNINGS : ExitCode.OK;
    }

    private static String summary(List<NodeReport> reports) {
        long fit = reports.stream()
                .filter(report -> !has(report, Finding.Weight.ERROR))
                .count();
        int majority = reports.size() / 2 + 1;
        return fit + " of " + reports.size() + (reports.size() == 1 ? " node is fit" : " nodes are fit") + " to vote; "
                + (fit >= majority ? "a majority of " + majority + " is there" : "NO MAJORITY of " + majority);
    }

    private static boolean has(NodeReport report, Finding.Weight weight) {
        return report.checkup().findings().stream().anyMatch(finding -> finding.weight() == weight);
    }

    private void print(NodeReport report) {
        out().println(report.node());
        report.checkup().facts().forEach((name, value) -> out().printf("  %-16s %s%n", name, value));
        if (report.checkup().findings().isEmpty()) {
            out().println("  well");
        }
        for (Finding finding : report.checkup().findings()) {
            out().println("  " + finding.weight() + ": " + finding.text());
            if (!finding.remedy().isEmpty()) {
                out().println("    remedy: " + finding.remedy());
            }
        }
    }

    private static Map<String, Object> fields(NodeReport report) {
        return Json.fields(
                "node", report.node(),
                "facts", report.checkup().facts(),
                "findings",
                        report.checkup().findings().stream()
                                .map(DoctorCommand::fields)
                                .toList());
    }

    private static Map<String, Object> fields(Finding finding) {
        return Json.fields(
                "weight", finding.weight().name().toLowerCase(Locale.ROOT),
                "text", finding.text(),
                "remedy", finding.remedy());
    }
}
