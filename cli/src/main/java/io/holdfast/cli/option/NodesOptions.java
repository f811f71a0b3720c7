package io.holdfast.cli.option;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.HoldfastOptionsBuilder;
import io.holdfast.RestartPolicy;
import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.file.ClientCertificate;
import io.holdfast.cli.file.SecretFile;
import io.holdfast.cli.file.TrustStore;
import io.holdfast.cli.output.HolderNote;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import io.holdfast.jedis.JedisNodes;
import io.holdfast.node.NodeProvider;
import io.holdfast.node.NodeStatus;
import io.holdfast.time.DurationSyntax;
import io.holdfast.time.Durations;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;

/** The options for the servers that vote. There is no default: a lock on the wrong servers excludes no client. */
public final class NodesOptions {

    private static final HoldfastOptions DEFAULT = HoldfastOptions.DEFAULT;

    /** The variable that names the servers. */
    public static final String VARIABLE = AddressSource.NODES_VARIABLE;

    /** The variable that names the servers that voted before. */
    public static final String PREVIOUS_VARIABLE = AddressSource.PREVIOUS_VARIABLE;

    private static final AddressSource PRESENT = AddressSource.NODES;
    private static final AddressSource PREVIOUS = AddressSource.PREVIOUS_NODES;

    private static final CommandOption LOCAL = CommandOption.of(
            "--local",
            "Use your own servers on this machine, which are started when needed and shared by all your"
                    + " terminals. For experiments.");
    private static final CommandOption CA = CommandOption.of(
            "--ca",
            "FILE",
            "Trust the certificates in this PEM file for rediss:// (TLS). Default: the certificates that Java trusts.");
    private static final CommandOption MAX_LEASE = CommandOption.of(
            "--max-lease",
            "DURATION",
            "The longest lease of any client of these servers; it must be equal for all clients. A restarted server"
                    + " does not vote for this time and a tenth of it. Default: 1m.");
    private static final CommandOption PREVIOUS_MAX_LEASE = CommandOption.of(
            "--previous-max-lease",
            "DURATION",
            "The longest lease of any client of --previous-nodes. Default: --max-lease.");
    private static final CommandOption RESTARTS = CommandOption.of(
            "--restarts",
            "quarantine|durable|at-once",
            "What a restarted server does: wait before it votes; vote, because it loses no lock (appendfsync"
                    + " always); or vote although it may have lost locks, for development. Default: quarantine, with"
                    + " three servers or more.");

    private static final CommandOption CERT = CommandOption.of(
            "--cert",
            "FILE",
            "The certificate of this client in a PEM file, for servers that require one: tls-auth-clients yes, the"
                    + " default of Redis with TLS.");
    private static final CommandOption KEY =
            CommandOption.of("--key", "FILE", "The private key of --cert in a PEM file: PKCS#8, without a passphrase.");

    /** The options that a configuration file may contain. */
    public static final List<CommandOption> FILE_OPTIONS = List.of(
            PRESENT.option(),
            Credentials.USER,
            Credentials.PASSWORD_FILE,
            Credentials.SENTINEL_USER,
            Credentials.SENTINEL_PASSWORD_FILE,
            AddressList.MAP,
            CA,
            CERT,
            KEY,
            MAX_LEASE,
            RESTARTS,
            PREVIOUS.option(),
            PREVIOUS_MAX_LEASE);

    public static final List<CommandOption> OPTIONS = Stream.concat(
                    Stream.of(PRESENT.option(), LOCAL), FILE_OPTIONS.stream().skip(1))
            .toList();

    private final Arguments arguments;
    private final ConfigFile config;

    private NodesOptions(Arguments arguments, ConfigFile config) {
        this.arguments = arguments;
        this.config = config;
    }

    private static NodesOptions of(Arguments arguments) {
        return new NodesOptions(arguments, ConfigFile.find(System.getenv(), FILE_OPTIONS));
    }

    /** Returns the longest lease that this client may request. */
    public static Duration maxLease(Arguments arguments) {
        NodesOptions nodes = of(arguments);
        Duration longest = nodes.maxLease(MAX_LEASE, DEFAULT.maxLease());
        Duration before = nodes.maxLease(PREVIOUS_MAX_LEASE, longest);
        return nodes.previous().isEmpty() ? longest : Durations.shorter(longest, before);
    }

    private Duration maxLease(CommandOption option, Duration otherwise) {
        Duration longest = value(option, DurationSyntax::parse).orElse(otherwise);
        LeaseOption.requireMaxLease(option, longest);
        return longest;
    }

    /**
     * Connects to the nodes of a lock, each of which is another server. With {@code --local}, starts the servers if
     * necessary and reports that.
     */
    public static Holdfast connect(Arguments arguments, Terminal terminal) {
        Holdfast holdfast = of(arguments).connect(terminal);
        DistinctHosts.require(holdfast.nodes());
        DistinctHosts.require(holdfast.previousNodes());
        return holdfast;
    }

    /** Connects to nodes that an administrator examines, so one server may have several names. */
    public static Holdfast connectForAdmin(Arguments arguments, Terminal terminal) {
        return of(arguments).connect(terminal);
    }

    private Holdfast connect(Terminal terminal) {
        List<String> uris = uris(terminal);
        return connect(uris, options(terminal), new JedisNodes());
    }

    private Holdfast connect(List<String> uris, HoldfastOptions options, NodeProvider client) {
        try {
            return Holdfast.connect(uris, options, client);
        } catch (IllegalArgumentException e) {
            throw new Failure(
                    ExitCode.USAGE,
                    PRESENT.source(arguments)
                            + (options.previousNodes().isEmpty() ? "" : ", " + PREVIOUS.source(arguments))
                            + ": " + e.getMessage());
        }
    }

    /**
     * Rejects servers that belong to another set. Otherwise a lease that was acquired on three servers could be
     * released on one of them only.
     */
    public static void requireSameSet(Holdfast holdfast) {
        holdfast.admin().standings().stream()
                .filter(node -> node.state() == NodeStatus.State.REFUSED)
                .findFirst()
                .ifPresent(node -> {
                    throw new Failure(ExitCode.NO_QUORUM, node.name() + ": " + node.cause());
                });
    }

    /** Checks the options, the addresses and the files that they name, without a connection. */
    public static void check(Arguments arguments, Terminal terminal) {
        NodesOptions nodes = of(arguments);
        HoldfastOptions options = nodes.options(terminal);
        if (arguments.has(LOCAL)) {
            nodes.requireOnlyLocal();
            return;
        }
        List<String> addresses = nodes.given();
        if (!addresses.isEmpty()) {
            nodes.connect(addresses, options, new AddressCheck()).close();
        }
    }

    private HoldfastOptions options(Terminal terminal) {
        config.checkPermissions(terminal);
        Stream.of(Credentials.PASSWORD_FILE, Credentials.SENTINEL_PASSWORD_FILE)
                .flatMap(option -> text(option).stream())
                .forEach(file -> SecretFile.check("the password file", "the password", Path.of(file), terminal));
        Duration longest = maxLease(MAX_LEASE, DEFAULT.maxLease());
        HoldfastOptionsBuilder builder = DEFAULT.toBuilder()
                .maxLease(longest)
                .previousNodes(previous())
                .previousMaxLease(maxLease(PREVIOUS_MAX_LEASE, longest))
                .name(HolderNote.user())
                .restarts(value(RESTARTS, NodesOptions::restarts).orElse(DEFAULT.restarts()));
        text(CA).ifPresent(pem -> builder.trustManagers(TrustStore.of(pem)));
        ownCertificate(terminal).ifPresent(builder::keyManagers);
        value(AddressList.MAP, AddressList::map).ifPresent(builder::addressMap);
        if (!arguments.has(LOCAL)) {
            credentials(Credentials.Source.SERVERS)
                    .filter(known ->
                            Stream.concat(given().stream(), previous().stream()).anyMatch(AddressList::hasNoLogin))
                    .map(Credentials::ofServers)
                    .ifPresent(known -> builder.credentials(() -> known));
            credentials(Credentials.Source.SENTINELS)
                    .map(Credentials::ofServers)
                    .ifPresent(known -> builder.sentinelCredentials(() -> known));
        }
        return builder.build();
    }

    private Optional<KeyManagerFactory> ownCertificate(Terminal terminal) {
        Optional<String> key = text(KEY);
        if (text(CERT).isPresent() != key.isPresent()) {
            throw new Failure(ExitCode.USAGE, "--cert and --key belong together; give both");
        }
        key.ifPresent(file -> SecretFile.check("the key file", "the key", Path.of(file), terminal));
        return text(CERT).map(pem -> ClientCertificate.of(pem, key.orElseThrow()));
    }

    private Optional<Credentials> credentials(Credentials.Source source) {
        return Credentials.of(source, this::text, System.getenv());
    }

    /** Returns a fingerprint of the servers, without spaces. Starts no server. */
    public static String fingerprint(Arguments arguments) {
        if (arguments.has(LOCAL)) {
            return "local";
        }
        List<String> servers = required(of(arguments).given()).stream()
                .map(uri -> uri.contains("@") ? uri.replaceFirst("//.*@", "//") : uri)
                .sorted()
                .toList();
        return Integer.toHexString(servers.hashCode());
    }

    private static RestartPolicy restarts(String text) {
        return text.equals("at-once")
                ? RestartPolicy.UNSAFE_IMMEDIATE
                : RestartPolicy.valueOf(text.toUpperCase(Locale.ROOT));
    }

    /** Returns the value on the command line, else the value in the configuration file. */
    private <T> Optional<T> value(CommandOption option, Function<String, T> parser) {
        return arguments.value(option, parser).or(() -> {
            try {
                return config.get(option.key()).map(option::checked).map(parser);
            } catch (IllegalArgumentException e) {
                throw new Failure(ExitCode.USAGE, option.key() + " in the configuration file: " + e.getMessage());
            }
        });
    }

    private Optional<String> text(CommandOption option) {
        return value(option, text -> text);
    }

    private List<String> uris(Terminal terminal) {
        if (arguments.has(LOCAL)) {
            requireOnlyLocal();
            return LocalNodes.up(terminal);
        }
        return required(given());
    }

    /** Returns the addresses in the options, else in the environment, else in the file; empty if there are none. */
    private List<String> given() {
        return PRESENT.addresses(arguments, config);
    }

    /** Returns the addresses of the servers that voted before: of an option, or of the place of the other servers. */
    private List<String> previous() {
        return arguments.has(LOCAL) ? List.of() : PREVIOUS.addressesBeside(PRESENT, arguments, config);
    }

    private static List<String> required(List<String> found) {
        if (found.isEmpty()) {
            throw new Failure(
                    ExitCode.USAGE,
                    "no nodes: use --nodes redis://a:6379,redis://b:6379,redis://c:6379, set "
                            + PRESENT.variable()
                            + ", or write nodes=... into ~/.config/holdfast/config; for an experiment on this machine,"
                            + " use --local");
        }
        return found;
    }

    private void requireOnlyLocal() {
        for (CommandOption other :
                List.of(PRESENT.option(), PREVIOUS.option(), Credentials.USER, Credentials.PASSWORD_FILE)) {
            if (arguments.has(other)) {
                throw new Failure(
                        ExitCode.USAGE, "--local and " + other.name() + " exclude each other; use one of them");
            }
        }
    }
}
