package io.holdfast.cli;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Restarts;
import io.holdfast.testkit.LocalServers;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** Which servers vote. There is no default: a lock on the wrong servers is no lock. */
final class NodesOptions {

    private static final HoldfastOptions DEFAULT = HoldfastOptions.DEFAULT;

    static final String VARIABLE = "HOLDFAST_NODES";

    /** The hosts of one address may have commas between them, too. */
    private static final Pattern BETWEEN_ADDRESSES = Pattern.compile(",(?=\\s*(?:[a-z-]+://|$))");

    @Option(
            names = "--nodes",
            paramLabel = "URI,URI…",
            description = "The servers that vote, such as redis://a:6379,redis://b:6379,redis://c:6379. Default: the"
                    + " environment variable " + VARIABLE
                    + ", else nodes=… in ~/.config/holdfast/config or /etc/holdfast/config. An address with a password belongs there, where other"
                    + " users do not see it.")
    private @Nullable String nodes;

    @Option(
            names = "--local",
            description =
                    "Use servers of your own on this machine; they are started when needed, and shared by all your"
                            + " terminals. For trying things out.")
    private boolean local;

    @Option(
            names = "--user",
            paramLabel = "NAME",
            description = "The user of the servers, for addresses without one. Its password: the variable "
                    + Credentials.PASSWORD_VARIABLE + " or --password-file.")
    private @Nullable String user;

    @Option(names = "--password-file", paramLabel = "FILE", description = "A file with the password alone.")
    private @Nullable String passwordFile;

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description =
                    "Trust the certificates in this PEM file for rediss:// (TLS). Default: those whom Java trusts.")
    private @Nullable String ca;

    @Option(
            names = "--max-lease",
            paramLabel = "DURATION",
            converter = Durations.class,
            description =
                    "The longest lease that any client of these servers asks for; the same for all. A restarted server"
                            + " does not vote for a tenth more than this. Default: 1m.")
    private @Nullable Duration maxLease;

    @Option(
            names = "--restarts",
            paramLabel = "quarantine|durable|at-once",
            converter = RestartsConverter.class,
            description =
                    "What a restarted server does: stay out for a while; vote, since it forgets nothing (appendfsync"
                            + " always); or vote although it may forget, for development. Default: quarantine, with three servers or"
                            + " more.")
    private @Nullable Restarts restarts;

    /** Connects, and says so if servers had to be started. */
    Holdfast connect(Terminal terminal) {
        ConfigFile config = ConfigFile.find(System.getenv());
        HoldfastOptions options = DEFAULT.withMaxLease(
                        given(maxLease, config, "max-lease", new Durations(), DEFAULT.maxLease()))
                .withRestarts(given(restarts, config, "restarts", new RestartsConverter(), DEFAULT.restarts()));
        text(ca, config, "ca").ifPresent(Authority::trust);
        return Holdfast.connect(uris(terminal, config), options);
    }

    private static <T> T given(
            @Nullable T option, ConfigFile config, String key, ITypeConverter<T> converter, T otherwise) {
        Optional<String> configured = config.get(key);
        if (option != null || configured.isEmpty()) {
            return option != null ? option : otherwise;
        }
        try {
            return converter.convert(configured.get());
        } catch (Exception e) {
            throw new Failure(ExitCode.USAGE, key + " of the configuration file: " + e.getMessage());
        }
    }

    private static Optional<String> text(@Nullable String option, ConfigFile config, String key) {
        return Optional.ofNullable(option).or(() -> config.get(key));
    }

    private List<String> uris(Terminal terminal, ConfigFile config) {
        if (local) {
            return localUris(terminal);
        }
        List<String> addresses = nodes != null ? checked(split(nodes)) : unspoken(config);
        return Credentials.of(text(user, config, "user"), text(passwordFile, config, "password-file"), System.getenv())
                .map(credentials -> addresses.stream().map(credentials::in).toList())
                .orElse(addresses);
    }

    private static List<String> unspoken(ConfigFile config) {
        List<String> fromEnvironment = split(System.getenv().getOrDefault(VARIABLE, ""));
        List<String> found =
                fromEnvironment.isEmpty() ? split(config.get("nodes").orElse("")) : fromEnvironment;
        if (found.isEmpty()) {
            throw new Failure(
                    ExitCode.USAGE,
                    "no nodes: give --nodes redis://a:6379,redis://b:6379,redis://c:6379, set " + VARIABLE
                            + ", or write nodes=… into ~/.config/holdfast/config; to try it out on this machine, give --local");
        }
        return found;
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
