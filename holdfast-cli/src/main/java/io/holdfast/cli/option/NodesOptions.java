package io.holdfast.cli.option;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.RestartPolicy;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.Failure;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import io.holdfast.jedis.JedisNodes;
import io.holdfast.servers.LocalServers;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Which servers vote. There is no default: a lock on the wrong servers is no lock. */
public final class NodesOptions {

    private static final HoldfastOptions DEFAULT = HoldfastOptions.DEFAULT;

    public static final String VARIABLE = "HOLDFAST_NODES";

    private static final CommandOption NODES = CommandOption.of(
            "--nodes",
            "URI,URI…",
            "The servers that vote, such as redis://a:6379,redis://b:6379,redis://c:6379. Default: the environment"
                    + " variable " + VARIABLE
                    + ", else nodes=… in ~/.config/holdfast/config or /etc/holdfast/config. An address with a password"
                    + " belongs there, where other users do not see it.");
    private static final CommandOption LOCAL = CommandOption.of(
            "--local",
            "Use servers of your own on this machine; they are started when needed, and shared by all your terminals."
                    + " For trying things out.");
    private static final CommandOption USER = CommandOption.of(
            "--user",
            "NAME",
            "The user of the servers, for addresses without one. Its password: the variable "
                    + Credentials.PASSWORD_VARIABLE + " or --password-file.");
    private static final CommandOption PASSWORD_FILE =
            CommandOption.of("--password-file", "FILE", "A file with the password alone.");
    private static final CommandOption CA = CommandOption.of(
            "--ca",
            "FILE",
            "Trust the certificates in this PEM file for rediss:// (TLS). Default: those whom Java trusts.");
    private static final CommandOption MAX_LEASE = CommandOption.of(
            "--max-lease",
            "DURATION",
            "The longest lease that any client of these servers asks for; the same for all. A restarted server does"
                    + " not vote for a tenth more than this. Default: 1m.");
    private static final CommandOption RESTARTS = CommandOption.of(
            "--restarts",
            "quarantine|durable|at-once",
            "What a restarted server does: stay out for a while; vote, since it forgets nothing (appendfsync always);"
                    + " or vote although it may forget, for development. Default: quarantine, with three servers or"
                    + " more.");

    public static final List<CommandOption> FLAGS = List.of(NODES, LOCAL, USER, PASSWORD_FILE, CA, MAX_LEASE, RESTARTS);

    private final Arguments given;
    private final ConfigFile config;

    private NodesOptions(Arguments given, ConfigFile config) {
        this.given = given;
        this.config = config;
    }

    /** Connects, and says so if servers had to be started. */
    public static Holdfast connect(Arguments given, Terminal terminal) {
        return new NodesOptions(given, ConfigFile.find(System.getenv())).connect(terminal);
    }

    private Holdfast connect(Terminal terminal) {
        HoldfastOptions options = DEFAULT.toBuilder().maxLease(
                        value(MAX_LEASE, DurationSyntax::parse).orElse(DEFAULT.maxLease()))
                .restarts(value(RESTARTS, NodesOptions::restarts).orElse(DEFAULT.restarts()))
                .build();
        text(CA).ifPresent(TrustStore::trust);
        return Holdfast.connect(uris(terminal), options, new JedisNodes());
    }

    private static RestartPolicy restarts(String text) {
        return switch (text) {
            case "quarantine" -> RestartPolicy.QUARANTINE;
            case "durable" -> RestartPolicy.DURABLE;
            case "at-once" -> RestartPolicy.UNSAFE_IMMEDIATE;
            default -> throw new IllegalArgumentException("'" + text + "' is none of quarantine, durable, at-once");
        };
    }

    /** From the command line, else from the configuration file. */
    private <T> Optional<T> value(CommandOption flag, Function<String, T> meaning) {
        return given.value(flag, meaning).or(() -> {
            try {
                return config.get(flag.key()).map(meaning);
            } catch (IllegalArgumentException e) {
                throw new Failure(ExitCode.USAGE, flag.key() + " of the configuration file: " + e.getMessage());
            }
        });
    }

    private Optional<String> text(CommandOption flag) {
        return value(flag, Function.identity());
    }

    private List<String> uris(Terminal terminal) {
        if (given.has(LOCAL)) {
            return localUris(terminal);
        }
        List<String> addresses =
                given.text(NODES).map(nodes -> checked(split(nodes))).orElseGet(this::unspoken);
        return Credentials.of(text(USER), text(PASSWORD_FILE), System.getenv())
                .map(credentials -> addresses.stream().map(credentials::in).toList())
                .orElse(addresses);
    }

    private List<String> unspoken() {
        List<String> fromEnvironment = split(System.getenv().getOrDefault(VARIABLE, ""));
        List<String> found =
                fromEnvironment.isEmpty() ? split(config.get(NODES.key()).orElse("")) : fromEnvironment;
        if (found.isEmpty()) {
            throw new Failure(
                    ExitCode.USAGE,
                    "no nodes: give --nodes redis://a:6379,redis://b:6379,redis://c:6379, set " + VARIABLE
                            + ", or write nodes=… into ~/.config/holdfast/config; to try it out on this machine, give --local");
        }
        return found;
    }

    private List<String> localUris(Terminal terminal) {
        if (given.has(NODES)) {
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

    /** The hosts of one address may have commas between them, too. */
    private static List<String> split(String uris) {
        List<String> addresses = new ArrayList<>();
        for (String part : uris.split(",", -1)) {
            int last = addresses.size() - 1;
            if (last >= 0 && !part.isBlank() && !part.contains("://")) {
                addresses.set(last, addresses.get(last) + "," + part.strip());
            } else if (!part.isBlank()) {
                addresses.add(part.strip());
            }
        }
        return addresses;
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
