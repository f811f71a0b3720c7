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
            The command that run starts finds these variables:
            .TP
            .B HOLDFAST_RESOURCE
            The name of the lock.
            .TP
            .B HOLDFAST_FENCE
            The fencing token, which increases with each holder of the lock; empty if the command runs
            without the lock.
            .TP
            .B HOLDFAST_OWNER
            The secret value of the lock on the servers.
            .TP
            .B HOLDFAST_LEASE_MS
            The length of the lease in milliseconds.
            .TP
            .B HOLDFAST_ATTEMPT
            With \\-\\-retries: 1 for the first attempt.
            .PP
            A hook finds HOLDFAST_RESOURCE, HOLDFAST_FENCE and these:
            .TP
            .B HOLDFAST_RESULT
            running, success, failure, lost, timeout or unreachable.
            .TP
            .B HOLDFAST_EXIT_CODE
            The exit code of run.
            .TP
            .B HOLDFAST_DURATION_MS, HOLDFAST_WAIT_MS
            How long the command ran, and how long it waited for the lock, in milliseconds.
            .SH FILES
            .TP
            .I ~/.config/holdfast/config, /etc/holdfast/config
            nodes, user, password\\-file, ca, max\\-lease and restarts, one KEY=VALUE per line. Only the
            first file that exists is read, or the file that the variable HOLDFAST_CONFIG names. A file
            with a password must not be writable, and should not be readable, by other users.
            .SH "EXIT STATUS"
            The exit code of run is that of its command; 128+n if signal n ended it.
            .TP
            .B 0
            Success.
            .TP
            .B 1
            status: the lock is free. log: no run is known. break, admit: not confirmed. doctor: there
            are warnings.
            .TP
            .B 64
            Wrong usage.
            .TP
            .B 69
            Too few servers can be used; \\-\\-unreachable\\-exit\\-code replaces this code.
            .TP
            .B 75
            The lock was not acquired; \\-E replaces this code.
            .TP
            .B 76
            The lock was lost; \\-\\-lost\\-exit\\-code replaces this code.
            .TP
            .B 124
            The command ran for longer than \\-\\-timeout; \\-\\-timeout\\-exit\\-code replaces this code.
            .TP
            .B 125
            Holdfast itself failed.
            .TP
            .B 126, 127
            The command cannot be run, or was not found.
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
            .BR holdfast (5),
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
