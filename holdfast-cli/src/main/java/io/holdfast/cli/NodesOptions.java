package io.holdfast.cli;

import io.holdfast.testkit.LocalServers;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which servers vote. There is no default: a lock on the wrong servers is no lock. */
final class NodesOptions {

    static final String VARIABLE = "HOLDFAST_NODES";

    @Option(
            names = "--nodes",
            paramLabel = "URI,URI…",
            description = "The servers that vote, such as redis://a:6379,redis://b:6379,redis://c:6379. Default: the"
                    + " environment variable " + VARIABLE + ". An address with a password belongs there, where other"
                    + " users do not see it.")
    private @Nullable String nodes;

    @Option(
            names = "--local",
            description =
                    "Use servers of your own on this machine; they are started when needed, and shared by all your"
                            + " terminals. For trying things out.")
    private boolean local;

    List<String> uris(Terminal terminal) {
        if (local) {
            return localUris(terminal);
        } else if (nodes != null) {
            return checked(split(nodes));
        }
        List<String> fromEnvironment = split(System.getenv().getOrDefault(VARIABLE, ""));
        if (fromEnvironment.isEmpty()) {
            throw new Failure(
                    ExitCode.USAGE,
                    "no nodes: give --nodes redis://a:6379,redis://b:6379,redis://c:6379 or set " + VARIABLE
                            + "; to try it out on this machine, give --local");
        }
        return fromEnvironment;
    }

    private List<String> localUris(Terminal terminal) {
        if (nodes != null) {
            throw new Failure(ExitCode.USAGE, "--local and --nodes exclude each other; give one of them");
        }
        LocalServers servers = LocalServers.ofThisUser();
        if (servers.members().stream().noneMatch(LocalServers.Member::isUp)) {
            servers.up(LocalServers.DEFAULT_COUNT);
            terminal.print("started " + LocalServers.DEFAULT_COUNT
                    + " redis-servers for --local; `holdfast local down` ends them");
        }
        return servers.members().stream()
                .map(LocalServers.Member::uri)
                .map(URI::toString)
                .toList();
    }

    private static List<String> split(String uris) {
        return Arrays.stream(uris.split(",", -1))
                .map(String::strip)
                .filter(uri -> !uri.isEmpty())
                .toList();
    }

    private static List<String> checked(List<String> uris) {
        if (uris.isEmpty()) {
            throw new Failure(ExitCode.USAGE, "--nodes names no server; write --nodes redis://a:6379,redis://b:6379");
        }
        if (uris.stream().anyMatch(uri -> uri.contains("@"))) {
            throw new Failure(
                    ExitCode.USAGE,
                    "--nodes has a password, which all users of this machine can see; set " + VARIABLE + " instead");
        }
        return uris;
    }
}
