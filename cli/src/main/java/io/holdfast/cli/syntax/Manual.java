package io.holdfast.cli.syntax;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The manual page in roff, made from the same specs as {@link Help}. */
public final class Manual {

    /** The number of commands from which on an option is described in a section of its own. */
    private static final long SHARED = 5;

    private static final String END = """
            .SH ENVIRONMENT
            .TP
            .B HOLDFAST_NODES
            The servers, as for \\-\\-nodes.
            .TP
            .B HOLDFAST_PREVIOUS_NODES
            The servers that voted before, as for \\-\\-previous\\-nodes.
            .TP
            .B HOLDFAST_PASSWORD
            The password for addresses without one. All programs of the user can read the environment
            of a process, and so can the command that runs: prefer \\-\\-password\\-file.
            .TP
            .B HOLDFAST_SENTINEL_PASSWORD
            The password of the Sentinels.
            .TP
            .B HOLDFAST_CONFIG
            The configuration file.
            .TP
            .B HOLDFAST_HANDLE
            The handle of the lease for renew and release.
            .TP
            .B HOLDFAST_LOCAL_DIR
            The directory of the servers of \\-\\-local. Default: holdfast in $XDG_RUNTIME_DIR, else
            /tmp/holdfast\\-USER.
            .TP
            .B HOLDFAST_REDIS_SERVER
            The redis\\-server or valkey\\-server that \\-\\-local and demo start.
            .TP
            .B JAVA_HOME
            The Java that runs Holdfast.
            .PP
            The command that run starts, and its hooks, find further variables, which run lists above.
            .SH FILES
            .TP
            .I ~/.config/holdfast/config, /etc/holdfast/config
            The configuration: server options without their dashes, one KEY=VALUE per line, such as
            nodes=redis://a:6379,redis://b:6379,redis://c:6379. Only the first file that exists is read,
            or the file that the variable HOLDFAST_CONFIG names. The first is in $XDG_CONFIG_HOME if
            that is set. An option has precedence over a variable, and a variable over the file; config
            check prints the source of each setting. A file with a password must not be writable, and
            should not be readable, by other users. A file of root may be readable by its group.
            .IP
            Spaces around both, empty lines, and lines that begin with # have no effect. A backslash is
            written twice. The file is text in UTF\\-8. An unknown key, or one that is given twice, is an
            error.
            .SH "EXIT STATUS"
            Each command lists its codes above. All of them exit with 64 for wrong usage, 69 if too few
            servers can be used, and 125 if Holdfast itself failed.
            .SH EXAMPLES
            A job that runs on one of several machines, from cron:
            .PP
            .nf
              0 2 * * * holdfast run nightly\\-backup \\-n \\-\\- /usr/local/bin/backup
            .fi
            .PP
            A pipe, at most for an hour, watched by a monitor:
            .PP
            .nf
              holdfast run dump \\-n \\-\\-timeout 1h \\-\\-on\\-success https://hc\\-ping.com/UUID \\
                \\-c 'pg_dump shop | gzip >/backup/shop.gz'
            .fi
            .PP
            Wait for at most ten seconds:
            .PP
            .nf
              holdfast run deploy \\-w 10s \\-\\- ./deploy.sh
            .fi
            .PP
            Who holds the lock, and are the servers well?
            .PP
            .nf
              holdfast status nightly\\-backup
              holdfast doctor
            .fi
            .PP
            Try it without servers of your own:
            .PP
            .nf
              holdfast run \\-\\-local hello \\-\\- echo "the lock is mine"
            .fi
            .SH "SEE ALSO"
            .BR flock (1),
            .BR cron (8),
            .BR systemd.timer (5),
            .BR redis\\-server (1)
            """;

    private final StringBuilder roff = new StringBuilder();
    private final List<CommandOption> shared;

    private Manual(List<CommandOption> shared) {
        this.shared = shared;
    }

    /** Returns the manual page of these commands. */
    public static String of(List<CommandSpec> specs, String version) {
        Manual manual = new Manual(shared(specs));
        manual.line(".TH HOLDFAST 1 \"\" \"" + version + "\"");
        manual.line(".SH NAME");
        manual.line("holdfast \\- distributed locks on Redis, for shells and cron");
        manual.line(".SH SYNOPSIS");
        manual.line(".B holdfast");
        manual.line("COMMAND [options]");
        manual.line(".SH COMMANDS");
        specs.forEach(manual::section);
        manual.line(".SH \"SERVER OPTIONS\"");
        manual.shared.forEach(option -> manual.entry(option.usage(), option.description()));
        manual.roff.append(END);
        return manual.roff.toString();
    }

    /** Returns the options that many commands have, in their order. */
    private static List<CommandOption> shared(List<CommandSpec> specs) {
        Map<CommandOption, Long> uses = specs.stream()
                .flatMap(spec -> spec.options().stream())
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        return specs.stream()
                .flatMap(spec -> spec.options().stream())
                .distinct()
                .filter(option -> uses.getOrDefault(option, 0L) >= SHARED)
                .toList();
    }

    private void section(CommandSpec spec) {
        line(".SS " + quoted(spec.name()));
        line(".B " + quoted(spec.usage()));
        line(".PP");
        line(escaped(spec.description()));
        if (spec.hasNames()) {
            entry("NAME", spec.operands().names());
        }
        if (spec.runsProgram()) {
            entry("COMMAND", spec.operands().program());
        }
        spec.options().stream()
                .filter(option -> !shared.contains(option))
                .forEach(option -> entry(option.usage(), option.description()));
        if (spec.options().stream().anyMatch(shared::contains)) {
            line(".PP");
            line("The server options are described below.");
        }
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

    static String quoted(String text) {
        return "\"" + escaped(text).replace("\"", "\\(dq") + "\"";
    }

    static String escaped(String text) {
        String escaped = text.replace("\\", "\\e").replace("-", "\\-");
        return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
    }
}
