package io.holdfast.cli;

import io.holdfast.HoldfastException;
import io.holdfast.LeaseLostException;
import io.holdfast.QuorumUnreachableException;
import java.io.UncheckedIOException;
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

    private Main() {}

    /** Exits with the code that the command's page names. */
    public static void main(String[] arguments) {
        System.exit(execute(arguments));
    }

    private static int execute(String... arguments) {
        Terminal terminal = new Terminal(System.err);
        CommandLine line = new CommandLine(new Main());
        line.addSubcommand(new RunCommand(terminal));
        line.addSubcommand(new AcquireCommand(terminal, System.out));
        line.addSubcommand(new RenewCommand(terminal, System.out));
        line.addSubcommand(new ReleaseCommand(terminal));
        line.addSubcommand(new StatusCommand(terminal, System.out));
        line.addSubcommand(new ListCommand(terminal, System.out));
        line.addSubcommand(new WatchCommand(terminal, System.out));
        line.addSubcommand(new BreakCommand(terminal, System.out));
        line.addSubcommand(new DoctorCommand(terminal, System.out));
        line.addSubcommand(new AdoptCommand(terminal, System.out));
        line.addSubcommand(new LocalCommand(System.out));
        line.addSubcommand(new CompletionCommand(System.out));
        line.addSubcommand(new ManCommand(System.out));
        line.setParameterExceptionHandler((wrong, given) -> {
            terminal.print(String.valueOf(wrong.getMessage()));
            terminal.print("see `" + wrong.getCommandLine().getCommandSpec().qualifiedName() + " --help`");
            return ExitCode.USAGE;
        });
        line.setExecutionExceptionHandler((failure, command, parsed) -> fail(failure, terminal));
        return arguments.length == 0 ? usage(line) : line.execute(arguments);
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
