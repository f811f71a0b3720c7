package io.holdfast.cli.syntax;

import java.util.ArrayList;
import java.util.List;

/** What {@code --help} prints. */
public final class Help {

    private static final int WIDTH = 80;
    private static final int INDENT = 2;
    private static final int LONGEST_TERM = 26;

    private Help() {}

    /** Of one command. */
    public static String of(CommandSpec page) {
        StringBuilder help = new StringBuilder();
        line(help, "Usage: " + page.usage());
        wrapped(page.description(), WIDTH).forEach(line -> line(help, line));
        line(help, "");
        if (page.hasNames()) {
            entry(
                    help,
                    page.operands().many() ? "NAME…" : "NAME",
                    page.operands().names());
        }
        if (page.runsProgram()) {
            entry(help, "COMMAND", page.operands().program());
        }
        page.allFlags().forEach(flag -> entry(help, flag.usage(), flag.description()));
        if (!page.footer().isEmpty()) {
            line(help, "");
            line(help, page.footer().stripTrailing());
        }
        return help.toString();
    }

    /**
     * Of several commands.
     *
     * @param prefix the word that all of them begin with; or empty
     */
    public static String of(String prefix, List<CommandSpec> pages) {
        StringBuilder help = new StringBuilder();
        String words = prefix.isEmpty() ? "holdfast" : "holdfast " + prefix;
        line(help, "Usage: " + words + " COMMAND [options]");
        line(help, "Distributed locks on Redis, for shells and cron.");
        line(help, "");
        pages.forEach(page -> entry(help, page.name(), page.description()));
        line(help, "");
        line(help, "`holdfast COMMAND --help` says the rest; `holdfast --version` which this is.");
        return help.toString();
    }

    private static void line(StringBuilder help, String line) {
        help.append(line).append(System.lineSeparator());
    }

    /** A term, and beside it what it means. */
    private static void entry(StringBuilder help, String term, String meaning) {
        String left = " ".repeat(INDENT) + term;
        int column = INDENT + LONGEST_TERM + INDENT;
        if (left.length() > column - INDENT) {
            line(help, left);
            left = "";
        }
        for (String part : wrapped(meaning, WIDTH - column)) {
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
