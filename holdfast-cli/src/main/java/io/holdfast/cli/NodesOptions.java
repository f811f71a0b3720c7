package io.holdfast.cli;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Restarts;
import io.holdfast.testkit.LocalServers;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
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

    /** The hosts of one address may have commas between them, too. */
    private static final Pattern BETWEEN_ADDRESSES = Pattern.compile(",(?=\\s*(?:[a-z-]+://|$))");

    @Option(
            names = "--local",
            description =
                    "Use servers of your own on this machine; they are started when needed, and shared by all your"
                            + " terminals. For trying things out.")
    private boolean local;

    @Option(
            names = "--max-lease",
            paramLabel = "DURATION",
            converter = Durations.class,
            defaultValue = "1m",
            description =
                    "The longest lease that any client of these servers asks for; the same for all. A restarted server"
                            + " does not vote for a tenth more than this. Default: 1m.")
    private Duration maxLease = Duration.ZERO;

    @Option(
            names = "--restarts",
            paramLabel = "quarantine|durable|at-once",
            converter = RestartsConverter.class,
            description =
                    "What a restarted server does: stay out for a while; vote, since it forgets nothing (appendfsync"
                            + " always); or vote although it may forget, for development. Default: quarantine, with three servers or"
                            + " more.")
    private Restarts restarts = Restarts.BY_SIZE;

    /** Connects, and says so if servers had to be started. */
    Holdfast connect(Terminal terminal) {
        HoldfastOptions options = HoldfastOptions.DEFAULT.withMaxLease(maxLease).withRestarts(restarts);
        return Holdfast.connect(uris(terminal), options);
    }

    private List<String> uris(Terminal terminal) {
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
        return Arrays.stream(BETWEEN_ADDRESSES.split(uris, -1))
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
