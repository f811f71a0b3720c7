package io.holdfast.cli.option;

import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import java.util.List;

/** A list of addresses: from an option, else from a variable of the environment, else from the configuration file. */
record AddressSource(CommandOption option, String variable) {

    static final String NODES_VARIABLE = "HOLDFAST_NODES";
    static final String PREVIOUS_VARIABLE = "HOLDFAST_PREVIOUS_NODES";

    static final AddressSource NODES = new AddressSource(
            CommandOption.of(
                    "--nodes",
                    "URI,URI...",
                    "The servers that vote, such as redis://a:6379,redis://b:6379,redis://c:6379. Default: the"
                            + " environment variable " + NODES_VARIABLE
                            + ", else nodes=... in ~/.config/holdfast/config or /etc/holdfast/config. Write an address"
                            + " with a password there, where other users cannot see it."),
            NODES_VARIABLE);
    static final AddressSource PREVIOUS_NODES = new AddressSource(
            CommandOption.of(
                    "--previous-nodes",
                    "URI,URI...",
                    "The servers that voted before, during a change to --nodes: each lock then needs a majority of each"
                            + " set. Default: the environment variable " + PREVIOUS_VARIABLE + " beside "
                            + NODES_VARIABLE + ", or previous-nodes=... in the file beside nodes=..."),
            PREVIOUS_VARIABLE);

    /** Returns the addresses; empty if there are none. */
    List<String> addresses(Arguments arguments, ConfigFile config) {
        List<String> fromEnvironment = fromEnvironment();
        List<String> configured = fromEnvironment.isEmpty()
                ? AddressList.split(config.get(option.key()).orElse(""))
                : fromEnvironment;
        return AddressList.withSchemes(
                arguments.text(option).map(this::ofArgument).orElse(configured), source(arguments));
    }

    /** Returns the addresses in the argument of the option, which all users of this machine can see. */
    private List<String> ofArgument(String text) {
        List<String> uris = AddressList.split(text);
        if (uris.isEmpty()) {
            throw new Failure(
                    ExitCode.USAGE,
                    option.name() + " names no server; write " + option.name() + " redis://a:6379,redis://b:6379");
        }
        if (uris.stream().anyMatch(uri -> uri.contains("@"))) {
            throw new Failure(
                    ExitCode.USAGE,
                    option.name() + " has a password, which all users of this machine can see; set " + variable
                            + " instead");
        }
        return uris;
    }

    /** Returns where the addresses come from. */
    String source(Arguments arguments) {
        return arguments.has(option)
                ? option.name()
                : fromEnvironment().isEmpty() ? option.key() + " in the configuration file" : variable;
    }

    /**
     * Returns the addresses of the option, or of the place from which the other ones come; empty if there are none. A
     * file has those of the servers in the file, so they do not count beside others.
     */
    List<String> addressesBeside(AddressSource other, Arguments arguments, ConfigFile config) {
        if (hasEffectBeside(other, arguments)) {
            return addresses(arguments, config);
        } else if (!fromEnvironment().isEmpty() && other.fromEnvironment().isEmpty()) {
            throw new Failure(
                    ExitCode.USAGE,
                    variable + " is set, and " + other.variable + " is not; set both, or use " + option.name());
        }
        return List.of();
    }

    /** Returns {@code true} if the option is given, or both lists are in the environment, or both in the file. */
    boolean hasEffectBeside(AddressSource other, Arguments arguments) {
        return arguments.has(option)
                || (!arguments.has(other.option)
                        && fromEnvironment().isEmpty()
                                == other.fromEnvironment().isEmpty());
    }

    private List<String> fromEnvironment() {
        return AddressList.split(System.getenv().getOrDefault(variable, ""));
    }
}
