package io.holdfast.cli;

import io.holdfast.testkit.LocalServers;
import java.io.PrintStream;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The redis-servers of {@code --local}. */
@Command(name = "local", description = "Starts, ends and shows the servers that --local uses.")
final class LocalCommand {

    private final PrintStream out;

    LocalCommand(PrintStream out) {
        this.out = out;
    }

    @Command(description = "Starts the servers that are not up. They run until `holdfast local down`.")
    int up(
            @Option(
                            names = "--count",
                            defaultValue = "3",
                            paramLabel = "N",
                            description = "How many, 1 to 9. Default: 3.")
                    int count) {
        LocalServers servers = LocalServers.ofThisUser();
        servers.up(count);
        return show(servers);
    }

    @Command(description = "Ends the servers. What they held is forgotten.")
    int down() {
        int ended = LocalServers.ofThisUser().down();
        out.println(ended == 0 ? "No local servers were up." : "Ended " + ended + " local servers.");
        return ExitCode.OK;
    }

    @Command(description = "Shows the servers. Exits 0 if a majority is up, else 69.")
    int status(
            @Option(
                            names = "--export",
                            description =
                                    "Print a line for your shell instead, so that other programs use them too: eval"
                                            + " \"$$(holdfast local status --export)\"")
                    boolean export,
            @Option(names = "--json", description = "Print one object for each server: node, up, pid.") boolean json) {
        LocalServers servers = LocalServers.ofThisUser();
        if (json) {
            servers.members().forEach(member -> out.println(json(member)));
            return exitCode(servers.members());
        }
        return export ? export(servers) : show(servers);
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

    private int show(LocalServers servers) {
        List<LocalServers.Member> members = servers.members();
        if (members.isEmpty()) {
            out.println("No local servers; `holdfast local up` starts some.");
        }
        members.forEach(member ->
                out.println("127.0.0.1:" + member.port() + (member.isUp() ? "  up, pid " + member.pid() : "  down")));
        return exitCode(members);
    }

    private int export(LocalServers servers) {
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
