package io.holdfast.cli.command;

import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.cli.option.WholeNumber;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import io.holdfast.cli.syntax.CommandSpec;
import io.holdfast.console.json.Json;
import io.holdfast.node.Majority;
import io.holdfast.servers.LocalServers;
import java.io.PrintStream;
import java.util.List;
import java.util.stream.Collectors;

/** The commands {@code local up}, {@code down} and {@code status} for the servers of {@code --local}. */
public final class LocalCommand {

    private static final CommandOption JSON =
            CommandOption.of("--json", "Print one object for each server: node, up, pid.");

    private LocalCommand() {}

    /** The command {@code local up}: starts the servers. */
    public record Up(PrintStream out) implements Command {

        private static final CommandOption COUNT =
                CommandOption.of("--count", "N", "The number of servers, 1 to 9. Default: 3.");

        @Override
        public CommandSpec spec() {
            return CommandSpec.of("local up", "Starts the servers of --local, which run until `holdfast local down`.")
                    .with(COUNT, JSON);
        }

        @Override
        public int run(Arguments arguments) {
            LocalServers servers = LocalServers.ofThisUser();
            servers.up(arguments.value(COUNT, Up::count).orElse(LocalServers.DEFAULT_COUNT));
            return arguments.has(JSON) ? showJson(servers, out) : show(servers, out);
        }

        private static int count(String text) {
            return WholeNumber.parse(
                    text, 1, LocalServers.MAX_COUNT, "is not a number of servers from 1 to 9; write one such as 3");
        }
    }

    /** The command {@code local down}: stops the servers. */
    public record Down(PrintStream out) implements Command {

        private static final CommandOption JSON =
                CommandOption.of("--json", "Print one object: stopped, the number of servers.");

        @Override
        public CommandSpec spec() {
            return CommandSpec.of("local down", "Stops these servers. All their locks are lost.")
                    .with(JSON);
        }

        @Override
        public int run(Arguments arguments) {
            int stopped = LocalServers.ofThisUser().down();
            out.println(
                    arguments.has(JSON)
                            ? Json.object(Json.fields("stopped", stopped))
                            : stopped == 0 ? "No local servers were up." : "Stopped " + stopped + " local servers.");
            return ExitCode.OK;
        }
    }

    /** The command {@code local status}: prints the servers. */
    public record Status(PrintStream out) implements Command {

        private static final CommandOption EXPORT = CommandOption.of(
                "--export",
                "Print a shell command instead that makes other programs use these servers:"
                        + " eval \"$(holdfast local status --export)\"");

        @Override
        public CommandSpec spec() {
            return CommandSpec.of("local status", "Prints these servers. Exits 0 if a majority is up, else 69.")
                    .with(EXPORT, JSON);
        }

        @Override
        public int run(Arguments arguments) {
            LocalServers servers = LocalServers.ofThisUser();
            if (arguments.has(JSON)) {
                return showJson(servers, out);
            }
            return arguments.has(EXPORT) ? export(servers, out) : show(servers, out);
        }
    }

    private static int showJson(LocalServers servers, PrintStream out) {
        servers.members().forEach(member -> out.println(json(member)));
        return exitCode(servers.members());
    }

    /** Returns the server as JSON, without its password. */
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
            out.println("No local servers; run `holdfast local up` to start some.");
        }
        members.forEach(member ->
                out.println("127.0.0.1:" + member.port() + (member.isUp() ? "  up, pid " + member.pid() : "  down")));
        return exitCode(members);
    }

    private static int export(LocalServers servers, PrintStream out) {
        List<LocalServers.Member> members = servers.members();
        if (members.isEmpty()) {
            throw new Failure(ExitCode.NO_QUORUM, "no local servers; run `holdfast local up` to start some");
        }
        String uris = members.stream().map(member -> member.uri().toString()).collect(Collectors.joining(","));
        out.println("export " + NodesOptions.VARIABLE + "='" + uris + "'");
        return exitCode(members);
    }

    private static int exitCode(List<LocalServers.Member> members) {
        long up = members.stream().filter(LocalServers.Member::isUp).count();
        return Majority.isReachedBy(up, members.size()) ? ExitCode.OK : ExitCode.NO_QUORUM;
    }
}
