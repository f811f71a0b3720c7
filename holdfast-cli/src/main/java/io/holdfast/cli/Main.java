package io.holdfast.cli;

import io.holdfast.HoldfastException;
import io.holdfast.LeaseLostException;
import io.holdfast.QuorumUnreachableException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** Where the command begins and ends. */
@Command(
        name = "holdfast",
        description = "Distributed locks on Redis, for shells and cron.",
        mixinStandardHelpOptions = true,
        scope = CommandLine.ScopeType.INHERIT,
        versionProvider = Main.Version.class,
        synopsisSubcommandLabel = "COMMAND")
public final class Main {

    /** Those that speak of all the others. */
    private static final Set<String> OF_ALL = Set.of("completion", "man");

    private Main() {}

    /** Exits with the code that the command's page names. */
    public static void main(String[] arguments) {
        System.exit(execute(arguments));
    }

    private static int execute(String... arguments) {
        Terminal terminal = new Terminal(System.err);
        CommandLine line = new CommandLine(new Main());
        Map<String, Supplier<Object>> commands = commands(terminal);
        // To make all of them takes a good part of a start, and a start is what most users wait for.
        boolean oneIsEnough =
                arguments.length > 0 && !OF_ALL.contains(arguments[0]) && commands.containsKey(arguments[0]);
        commands.forEach((name, command) -> {
            if (!oneIsEnough || name.equals(arguments[0])) {
                line.addSubcommand(command.get());
            }
        });
        line.setParameterExceptionHandler((wrong, given) -> {
            terminal.print(String.valueOf(wrong.getMessage()));
            terminal.print("see `" + wrong.getCommandLine().getCommandSpec().qualifiedName() + " --help`");
            return ExitCode.USAGE;
        });
        line.setExecutionExceptionHandler((failure, command, parsed) -> fail(failure, terminal));
        return arguments.length == 0 ? usage(line) : line.execute(arguments);
    }

    private static Map<String, Supplier<Object>> commands(Terminal terminal) {
        Map<String, Supplier<Object>> commands = new LinkedHashMap<>();
        commands.put("run", () -> new RunCommand(terminal));
        commands.put("acquire", () -> new AcquireCommand(terminal, System.out));
        commands.put("renew", () -> new RenewCommand(terminal, System.out));
        commands.put("release", () -> new ReleaseCommand(terminal));
        commands.put("status", () -> new StatusCommand(terminal, System.out));
        commands.put("list", () -> new ListCommand(terminal, System.out));
        commands.put("watch", () -> new WatchCommand(terminal, System.out));
        commands.put("break", () -> new BreakCommand(terminal, System.out));
        commands.put("doctor", () -> new DoctorCommand(terminal, System.out));
        commands.put("adopt", () -> new AdoptCommand(terminal, System.out));
        commands.put("local", () -> new LocalCommand(System.out));
        commands.put("completion", () -> new CompletionCommand(System.out));
        commands.put("man", () -> new ManCommand(System.out));
        return commands;
    }

    private static int usage(CommandLine line) {
        line.usage(System.err);
        return ExitCode.USAGE;
    }

    /** One line for what was expected to fail somewhere; for the rest what helps to report it. */
    private static int fail(Exception failure, Terminal terminal) {
        if (failure instanceof Failure || failure instanceof IllegalArgumentException || isNamed(failure)) {
            terminal.print(String.valueOf(failure.getMessage()));
        } else {
            terminal.print("failed, which is a defect of Holdfast; please report it with the lines below");
            failure.printStackTrace();
        }
        return exitCode(failure);
    }

    private static boolean isNamed(Exception failure) {
        return failure instanceof HoldfastException
                || failure instanceof IllegalStateException
                || failure instanceof UncheckedIOException;
    }

    private static int exitCode(Exception failure) {
        if (failure instanceof Failure expected) {
            return expected.exitCode();
        } else if (failure instanceof IllegalArgumentException) {
            return ExitCode.USAGE;
        }
        if (failure instanceof LeaseLostException) {
            return ExitCode.LOST;
        }
        return failure instanceof QuorumUnreachableException ? ExitCode.NO_QUORUM : ExitCode.INTERNAL;
    }

    /** What the jar was built as. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Main.class.getPackage().getImplementationVersion();
            return new String[] {"holdfast " + (version == null ? "(unpackaged)" : version)};
        }
    }
}
