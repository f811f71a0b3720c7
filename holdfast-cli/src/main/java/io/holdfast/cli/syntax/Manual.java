package io.holdfast.cli.syntax;

import java.util.List;

/** The manual page in roff, made from the same specs as {@link Help}. */
public final class Manual {

    private static final String FILES = """
            .SH FILES
            .TP
            .I ~/.config/holdfast/config, /etc/holdfast/config
            nodes, user, password\\-file, ca, max\\-lease and restarts, one KEY=VALUE per line. Only the
            first file that exists is read, or the file that the variable HOLDFAST_CONFIG names.
            """;

    private final StringBuilder roff = new StringBuilder();

    private Manual() {}

    /** Returns the manual page of these commands. */
    public static String of(List<CommandSpec> specs, String version) {
        Manual manual = new Manual();
        manual.line(".TH HOLDFAST 1 \"\" \"" + version + "\"");
        manual.line(".SH NAME");
        manual.line("holdfast \\- distributed locks on Redis, for shells and cron");
        manual.line(".SH SYNOPSIS");
        manual.line(".B holdfast");
        manual.line("COMMAND [options]");
        specs.forEach(manual::section);
        manual.roff.append(FILES);
        return manual.roff.toString();
    }

    private void section(CommandSpec spec) {
        line(".SH " + quoted("holdfast " + spec.name()));
        line(".B " + quoted(spec.usage()));
        line(".PP");
        line(escaped(spec.description()));
        if (spec.hasNames()) {
            entry("NAME", spec.operands().names());
        }
        if (spec.runsProgram()) {
            entry("COMMAND", spec.operands().program());
        }
        spec.options().forEach(option -> entry(option.usage(), option.description()));
        if (!spec.footer().isEmpty()) {
            line(".PP");
            line(".nf");
            spec.footer().stripTrailing().lines().map(Manual::escaped).forEach(this::line);
            line(".fi");
        }
    }

    private void entry(String term, String description) {
        line(".TP");
        line(".B " + quoted(term));
        line(escaped(description));
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
