package io.holdfast.cli.command;

import io.holdfast.cli.Command;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.Failure;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.cli.output.Json;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import io.holdfast.cli.syntax.CommandSpec;
import io.holdfast.servers.LocalServers;
import java.io.PrintStream;
import java.util.List;
import java.util.stream.Collectors;

/** The redis-servers of {@code --local}. */
public final class LocalCommand {

    private static final CommandOption JSON =
            CommandOption.of("--json", "Print one object for each server: node, up, pid.");

    private LocalCommand() {}

    /** Starts them. */
    public record Up(PrintStream out) implements Command {

        private static final CommandOption COUNT = CommandOption.of("--count", "N", "How many, 1 to 9. Default: 3.");

        @Override
        public CommandSpec page() {
            return CommandSpec.of("local up", "Starts the servers that --local uses, until `holdfast local down`.")
                    .with(COUNT, JSON);
        }

        @Override
        public int run(Arguments given) {
            LocalServers servers = LocalServers.ofThisUser();
            servers.up(given.value(COUNT, Up::count).orElse(LocalServers.DEFAULT_COUNT));
            return given.has(JSON) ? showJson(servers, out) : show(servers, out);
        }

        private static int count(String text) {
            if (!text.matches("\\d{1,3}")) {
                throw new IllegalArgumentException("'" + text + "' is no number of servers; write one such as 3");
            }
            return Integer.parseInt(text);
        }
    }

    /** Ends them. */
    public record Down(PrintStream out) implements Command {

        private static final CommandOption ENDED = CommandOption.of("--json", "Print an object: ended, how many.");

        @Override
        public CommandSpec page() {
            return CommandSpec.of("local down", "Ends these servers. What they held is forgotten.")
                    .with(ENDED);
        }

        @Override
        public int run(Arguments given) {
            int ended = LocalServers.ofThisUser().down();
            out.println(
                    given.has(ENDED)
                            ? Json.object(Json.fields("ended", ended))
                            : ended == 0 ? "No local servers were up." : "Ended " + ended + " local servers.");
            return ExitCode.OK;
        }
    }

    /** Shows them. */
    public record Status(PrintStream out) implements Command {

        private static final CommandOption EXPORT = CommandOption.of(
                "--export",
                "Print a line for your shell instead, so that other programs use them too:"
                        + " eval \"$(holdfast local status --export)\"");

        @Override
        public CommandSpec page() {
            return CommandSpec.of("local status", "Shows these servers. Exits 0 if a majority is up, else 69.")
                    .with(EXPORT, JSON);
        }

        @Override
        public int run(Arguments given) {
            LocalServers servers = LocalServers.ofThisUser();
            if (given.has(JSON)) {
                return showJson(servers, out);
            }
            return given.has(EXPORT) ? export(servers, out) : show(servers, out);
        }
    }

    private static int showJson(LocalServers servers, PrintStream out) {
        servers.members().forEach(member -> out.println(json(member)));
        return exitCode(servers.members());
    }

    /** Without the password. */
    private static String json(LocalServers.Member member) {
        return Json.object(Json.fields(
                "node",
                "redis://127.0.0.1:" + member.port(),
                "up",
                member.isUp(),
                "pid",
                member.isUp() ? member.pid() : 0));
    }

    private static int show(LocalServers servers, PrintStream out) {
        List<LocalServers.Member> members = servers.members();
        if (members.isEmpty()) {
            out.println("No local servers; `holdfast local up` starts some.");
        }
        members.forEach(member ->
                out.println("127.0.0.1:" + member.port() + (member.isUp() ? "  up, pid " + member.pid() : "  down")));
        return exitCode(members);
    }

    private static int export(LocalServers servers, PrintStream out) {
        List<LocalServers.Member> members = servers.members();
        if (members.isEmpty()) {
            throw new Failure(ExitCode.NO_QUORUM, "no local servers; `holdfast local up` starts some");
        }
        String uris = members.stream().map(member -> member.uri().toString()).collect(Collectors.joining(","));
        out.println("export " + NodesOptions.VARIABLE + "='" + uris + "'");
        return exitCode(members);
    }

    private static int exitCode(List<LocalServers.Member> members) {
        long up = members.stream().filter(LocalServers.Member::isUp).count();
        return up > members.size() / 2 ? ExitCode.OK : ExitCode.NO_QUORUM;
    }
}
