package io.holdfast.cli.syntax;

import java.util.ArrayList;
import java.util.List;

/** The text that {@code --help} prints. */
public final class Help {

    private static final int WIDTH = 80;
    private static final int INDENT = 2;
    private static final int LONGEST_TERM = 26;

    private Help() {}

    /** Returns the help of one command. */
    public static String of(CommandSpec spec) {
        StringBuilder help = new StringBuilder();
        line(help, "Usage: " + spec.usage());
        wrapped(spec.description(), WIDTH).forEach(line -> line(help, line));
        line(help, "");
        if (spec.hasNames()) {
            entry(
                    help,
                    spec.operands().many() ? "NAME..." : "NAME",
                    spec.operands().names());
        }
        if (spec.runsProgram()) {
            entry(help, "COMMAND", spec.operands().program());
        }
        spec.allOptions().forEach(option -> entry(help, option.usage(), option.description()));
        if (!spec.footer().isEmpty()) {
            line(help, "");
            line(help, spec.footer().stripTrailing());
        }
        return help.toString();
    }

    /**
     * Returns the help of several commands.
     *
     * @param prefix the first word of all of them, or empty
     */
    public static String of(String prefix, List<CommandSpec> specs) {
        StringBuilder help = new StringBuilder();
        String words = prefix.isEmpty() ? "holdfast" : "holdfast " + prefix;
        line(help, "Usage: " + words + " COMMAND [options]");
        line(help, "Distributed locks on Redis, for shells and cron.");
        line(help, "");
        specs.forEach(spec -> entry(help, spec.name(), spec.description()));
        line(help, "");
        line(help, "`holdfast help COMMAND` describes a command.");
        line(help, "`holdfast version` prints the version.");
        return help.toString();
    }

    private static void line(StringBuilder help, String line) {
        help.append(line).append(System.lineSeparator());
    }

    /** Appends a term with its description beside it. */
    private static void entry(StringBuilder help, String term, String description) {
        String left = " ".repeat(INDENT) + term;
        int column = INDENT + LONGEST_TERM + INDENT;
        if (left.length() > column - INDENT) {
            line(help, left);
            left = "";
        }
        for (String part : wrapped(description, WIDTH - column)) {
            line(help, left + " ".repeat(column - left.length()) + part);
            left = "";
        }
    }

    private static List<String> wrapped(String text, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            if (line.length() > 0 && line.length() + 1 + word.length() > width) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.length() == 0 ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }
}
