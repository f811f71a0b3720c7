package io.holdfast.cli.syntax;

import java.util.List;

/** The manual page, in roff, from the same words as {@link Help}. */
public final class Manual {

    private static final String FILES = """
            .SH FILES
            .TP
            .I ~/.config/holdfast/config, /etc/holdfast/config
            nodes, user, password\\-file, ca, max\\-lease and restarts, one KEY=VALUE on a line;
            the first file that there is counts, or the one that the variable HOLDFAST_CONFIG names.
            """;

    private final StringBuilder roff = new StringBuilder();

    private Manual() {}

    /** Of all commands. */
    public static String of(List<CommandSpec> pages, String version) {
        Manual manual = new Manual();
        manual.line(".TH HOLDFAST 1 \"\" \"" + version + "\"");
        manual.line(".SH NAME");
        manual.line("holdfast \\- distributed locks on Redis, for shells and cron");
        manual.line(".SH SYNOPSIS");
        manual.line(".B holdfast");
        manual.line("COMMAND [options]");
        pages.forEach(manual::section);
        manual.roff.append(FILES);
        return manual.roff.toString();
    }

    private void section(CommandSpec page) {
        line(".SH " + quoted("holdfast " + page.name()));
        line(".B " + quoted(page.usage()));
        line(".PP");
        line(escaped(page.description()));
        if (page.hasNames()) {
            entry("NAME", page.operands().names());
        }
        if (page.runsProgram()) {
            entry("COMMAND", page.operands().program());
        }
        page.flags().forEach(flag -> entry(flag.usage(), flag.description()));
        if (!page.footer().isEmpty()) {
            line(".PP");
            line(".nf");
            page.footer().stripTrailing().lines().map(Manual::escaped).forEach(this::line);
            line(".fi");
        }
    }

    private void entry(String term, String meaning) {
        line(".TP");
        line(".B " + quoted(term));
        line(escaped(meaning));
    }

    private void line(String line) {
        roff.append(line).append('\n');
    }

    private static String quoted(String text) {
        return "\"" + escaped(text).replace("\"", "\\(dq") + "\"";
    }

    private static String escaped(String text) {
        String escaped = text.replace("\\", "\\e").replace("-", "\\-");
        return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
    }
}
