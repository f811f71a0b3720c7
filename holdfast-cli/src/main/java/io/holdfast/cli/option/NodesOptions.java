package io.holdfast.cli.option;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.RestartPolicy;
import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
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

/** The options for the servers that vote. There is no default: a lock on the wrong servers excludes no client. */
public final class NodesOptions {

    private static final HoldfastOptions DEFAULT = HoldfastOptions.DEFAULT;

    public static final String VARIABLE = "HOLDFAST_NODES";

    private static final CommandOption NODES = CommandOption.of(
            "--nodes",
            "URI,URI…",
            "The servers that vote, such as redis://a:6379,redis://b:6379,redis://c:6379. Default: the environment"
                    + " variable " + VARIABLE
                    + ", else nodes=… in ~/.config/holdfast/config or /etc/holdfast/config. Write an address with"
                    + " a password there, where other users cannot see it.");
    private static final CommandOption LOCAL = CommandOption.of(
            "--local",
            "Use your own servers on this machine, which are started when needed and shared by all your"
                    + " terminals. For experiments.");
    private static final CommandOption USER = CommandOption.of(
            "--user",
            "NAME",
            "The user of the servers, for addresses without one. Its password: the variable "
                    + Credentials.PASSWORD_VARIABLE + " or --password-file.");
    private static final CommandOption PASSWORD_FILE =
            CommandOption.of("--password-file", "FILE", "A file that contains only the password.");
    private static final CommandOption CA = CommandOption.of(
            "--ca",
            "FILE",
            "Trust the certificates in this PEM file for rediss:// (TLS). Default: the certificates that Java trusts.");
    private static final CommandOption MAX_LEASE = CommandOption.of(
            "--max-lease",
            "DURATION",
            "The longest lease of any client of these servers; it must be equal for all clients. A restarted server"
                    + " does not vote for this time and a tenth of it. Default: 1m.");
    private static final CommandOption RESTARTS = CommandOption.of(
            "--restarts",
            "quarantine|durable|at-once",
            "What a restarted server does: wait before it votes; vote, because it loses no lock (appendfsync"
                    + " always); or vote although it may have lost locks, for development. Default: quarantine, with"
                    + " three servers or more.");

    public static final List<CommandOption> OPTIONS =
            List.of(NODES, LOCAL, USER, PASSWORD_FILE, CA, MAX_LEASE, RESTARTS);

    private final Arguments arguments;
    private final ConfigFile config;

    private NodesOptions(Arguments arguments, ConfigFile config) {
        this.arguments = arguments;
        this.config = config;
    }

    /** Connects to the nodes. With {@code --local}, starts the servers if necessary and reports that. */
    public static Holdfast connect(Arguments arguments, Terminal terminal) {
        return new NodesOptions(arguments, ConfigFile.find(System.getenv())).connect(terminal);
    }

    private Holdfast connect(Terminal terminal) {
        HoldfastOptions options = DEFAULT.toBuilder()
                .maxLease(value(MAX_LEASE, DurationSyntax::parse).orElse(DEFAULT.maxLease()))
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

    /** Returns the value on the command line, else the value in the configuration file. */
    private <T> Optional<T> value(CommandOption option, Function<String, T> parser) {
        return arguments.value(option, parser).or(() -> {
            try {
                return config.get(option.key()).map(parser);
            } catch (IllegalArgumentException e) {
                throw new Failure(ExitCode.USAGE, option.key() + " in the configuration file: " + e.getMessage());
            }
        });
    }

    private Optional<String> text(CommandOption option) {
        return value(option, Function.identity());
    }

    private List<String> uris(Terminal terminal) {
        if (arguments.has(LOCAL)) {
            return localUris(terminal);
        }
        List<String> addresses =
                arguments.text(NODES).map(nodes -> checked(split(nodes))).orElseGet(this::configuredUris);
        return Credentials.of(text(USER), text(PASSWORD_FILE), System.getenv())
                .map(credentials -> addresses.stream().map(credentials::in).toList())
                .orElse(addresses);
    }

    private List<String> configuredUris() {
        List<String> fromEnvironment = split(System.getenv().getOrDefault(VARIABLE, ""));
        List<String> found =
                fromEnvironment.isEmpty() ? split(config.get(NODES.key()).orElse("")) : fromEnvironment;
        if (found.isEmpty()) {
            throw new Failure(
                    ExitCode.USAGE,
                    "no nodes: use --nodes redis://a:6379,redis://b:6379,redis://c:6379, set " + VARIABLE
                            + ", or write nodes=… into ~/.config/holdfast/config; for an experiment on this machine,"
                            + " use --local");
        }
        return found;
    }

    private List<String> localUris(Terminal terminal) {
        if (arguments.has(NODES)) {
            throw new Failure(ExitCode.USAGE, "--local and --nodes exclude each other; use one of them");
        }
        LocalServers servers = LocalServers.ofThisUser();
        if (servers.members().stream().noneMatch(LocalServers.Member::isUp)) {
            servers.up(LocalServers.DEFAULT_COUNT);
            terminal.print("started " + LocalServers.DEFAULT_COUNT
                    + " redis-servers for --local; `holdfast local down` stops them");
        }
        return servers.members().stream()
                .map(LocalServers.Member::uri)
                .map(URI::toString)
                .toList();
    }

    /** Splits a list at the commas between addresses; a comma may also separate the hosts of one address. */
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
