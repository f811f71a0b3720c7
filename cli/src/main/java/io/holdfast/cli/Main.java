package io.holdfast.cli;

import io.holdfast.cli.command.Command;
import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.FailureReport;
import io.holdfast.cli.output.ResultStream;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.process.Launcher;
import io.holdfast.cli.process.WarmUp;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import io.holdfast.cli.syntax.CommandSpec;
import io.holdfast.cli.syntax.Help;
import io.holdfast.cli.syntax.Similar;
import io.holdfast.cli.syntax.WrongUsage;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The entry point of the {@code holdfast} command. */
public final class Main {

    private static final int LONGEST_NAME = 2;

    /** The script subtracts it again. */
    private static final int DISTINCT = 90;

    private static final int GREATEST_OF_JAVA = 6;
    private static final CommandOption VERSION = CommandOption.of("-V, --version", "Print the version.");

    private Main() {}

    /** Executes the command line and exits with the command's exit code. */
    public static void main(String[] arguments) {
        if (Launcher.isPresent()) {
            WarmUp.begin();
            System.exit(Launcher.exit(execute(arguments)));
        }
        ResultStream results = ResultStream.install();
        int code = execute(arguments);
        System.exit(code == ExitCode.INTERNAL || !isIncomplete(results) ? distinct(code) : ExitCode.INTERNAL);
    }

    /** Returns the code, or another one in place of those with which Java ends if it cannot start. */
    private static int distinct(int code) {
        boolean isOfJava = 0 < code && code <= GREATEST_OF_JAVA;
        return isOfJava && Boolean.getBoolean("holdfast.distinct") ? code + DISTINCT : code;
    }

    /** Returns whether results could not be printed, after a message that says why. */
    private static boolean isIncomplete(ResultStream results) {
        Optional<String> reason = results.failure();
        reason.ifPresent(text -> new Terminal(System.err).complain("cannot write to standard output: " + text));
        return reason.isPresent();
    }

    /** Executes the command line and returns the exit code. */
    public static int execute(String... words) {
        Terminal terminal = new Terminal(System.err);
        try {
            return execute(withoutHelpCommand(List.of(words)), new Commands(terminal, System.out, version()));
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            // Java would end with 1 after an error.
            return FailureReport.print(e, terminal);
        }
    }

    /**
     * Returns the words with an option in place of the commands {@code help} and {@code version}, which the general
     * help describes.
     */
    private static List<String> withoutHelpCommand(List<String> given) {
        List<String> words = isFirst("help", given)
                ? Stream.concat(given.stream().skip(1), Stream.of(CommandSpec.HELP.name()))
                        .toList()
                : given;
        if (!isFirst("help", words) && !isFirst("version", words)) {
            return words;
        } else if (Arguments.contains(words, CommandSpec.HELP)) {
            return List.of(CommandSpec.HELP.name());
        } else if (words.size() > 1) {
            throw new WrongUsage("'" + words.get(1) + "' is one word too many; write holdfast version", "holdfast");
        }
        return List.of(VERSION.name());
    }

    private static boolean isFirst(String word, List<String> words) {
        return !words.isEmpty() && words.get(0).equals(word);
    }

    private static int execute(List<String> words, Commands commands) throws IOException, InterruptedException {
        for (int length = Math.min(LONGEST_NAME, words.size()); length > 0; length--) {
            Command command = commands.find(String.join(" ", words.subList(0, length)));
            if (command != null) {
                return execute(command, words.subList(length, words.size()));
            }
        }
        return explain(words, commands);
    }

    private static int execute(Command command, List<String> words) throws IOException, InterruptedException {
        if (Arguments.contains(words, CommandSpec.HELP)) {
            System.out.print(Help.of(command.spec()));
            return ExitCode.OK;
        }
        return command.run(Arguments.of(command.spec(), words));
    }

    /** Prints the version or the help of a group of commands, since the words name no single command. */
    private static int explain(List<String> words, Commands commands) {
        if (Arguments.contains(words, VERSION)) {
            System.out.println("holdfast " + version());
            return ExitCode.OK;
        }
        String group =
                words.stream().filter(word -> !word.startsWith("-")).findFirst().orElse("");
        List<CommandSpec> specs = commands.specs(group);
        boolean isHelp = Arguments.contains(words, CommandSpec.HELP);
        boolean isComplete = isHelp || words.size() <= (group.isEmpty() ? 0 : 1);
        if (specs.isEmpty() || !isComplete) {
            boolean isGroup = !specs.isEmpty() && group.equals(words.get(0));
            String wrong = String.join(" ", words.subList(0, Math.min(isGroup ? LONGEST_NAME : 1, words.size())));
            throw new WrongUsage(
                    "no such command: '" + wrong + "'" + Similar.hint(wrong, commands.names()), "holdfast");
        }
        (isHelp ? System.out : System.err).print(Help.of(group, specs));
        return isHelp ? ExitCode.OK : ExitCode.USAGE;
    }

    /** Returns the version in the manifest of the jar. */
    static String version() {
        String version = Main.class.getPackage().getImplementationVersion();
        return version == null ? "(unpackaged)" : version;
    }
}
