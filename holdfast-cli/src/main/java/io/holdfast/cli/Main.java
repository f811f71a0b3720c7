package io.holdfast.cli;

import io.holdfast.HoldfastException;
import io.holdfast.LeaseLostException;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import io.holdfast.cli.syntax.CommandSpec;
import io.holdfast.cli.syntax.Help;
import io.holdfast.cli.syntax.Similar;
import io.holdfast.cli.syntax.WrongUsage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** Where the command begins and ends. */
public final class Main {

    private static final int LONGEST_NAME = 2;
    private static final CommandOption VERSION = CommandOption.of("-V, --version", "Say which Holdfast this is.");

    private Main() {}

    /** Exits with the code that the command's page names. */
    public static void main(String[] arguments) {
        System.exit(execute(arguments));
    }

    /** Does what the words say, and returns the exit code. */
    public static int execute(String... words) {
        Terminal terminal = new Terminal(System.err);
        try {
            return execute(List.of(words), new Commands(terminal, System.out));
        } catch (IOException | InterruptedException | RuntimeException e) {
            return fail(e, terminal);
        }
    }

    private static int execute(List<String> words, Commands verbs) throws IOException, InterruptedException {
        for (int length = Math.min(LONGEST_NAME, words.size()); length > 0; length--) {
            Command verb = verbs.find(String.join(" ", words.subList(0, length)));
            if (verb != null) {
                return execute(verb, words.subList(length, words.size()));
            }
        }
        return explain(words, verbs);
    }

    private static int execute(Command verb, List<String> words) throws IOException, InterruptedException {
        if (Arguments.asks(words, CommandSpec.HELP)) {
            System.out.print(Help.of(verb.page()));
            return ExitCode.OK;
        }
        return verb.run(Arguments.of(verb.page(), words));
    }

    /** What there is, if no command was named, or only the first word of some. */
    private static int explain(List<String> words, Commands verbs) {
        if (Arguments.asks(words, VERSION)) {
            System.out.println("holdfast " + version());
            return ExitCode.OK;
        }
        String group =
                words.stream().filter(word -> !word.startsWith("-")).findFirst().orElse("");
        List<CommandSpec> pages = verbs.pages(group);
        boolean isAsked = Arguments.asks(words, CommandSpec.HELP);
        boolean isAll = isAsked || words.size() <= (group.isEmpty() ? 0 : 1);
        if (pages.isEmpty() || !isAll) {
            String wrong = String.join(" ", words.subList(0, Math.min(LONGEST_NAME, words.size())));
            throw new WrongUsage(
                    "no such command: '" + wrong + "'" + Similar.hint(words.get(0), verbs.names()), "holdfast");
        }
        (isAsked ? System.out : System.err).print(Help.of(group, pages));
        return isAsked ? ExitCode.OK : ExitCode.USAGE;
    }

    /** What the jar was built as. */
    public static String version() {
        String version = Main.class.getPackage().getImplementationVersion();
        return version == null ? "(unpackaged)" : version;
    }

    /** A few words for what was expected to fail somewhere; for the rest what helps to report it. */
    private static int fail(Exception failure, Terminal terminal) {
        if (isExpected(failure)) {
            String.valueOf(failure.getMessage()).lines().forEach(terminal::print);
        } else {
            terminal.print("failed, which is a defect of Holdfast; please report it with the lines below");
            failure.printStackTrace();
        }
        return exitCode(failure);
    }

    private static boolean isExpected(Exception failure) {
        return failure instanceof Failure
                || failure instanceof WrongUsage
                || failure instanceof IllegalArgumentException
                || failure instanceof HoldfastException
                || failure instanceof IllegalStateException
                || failure instanceof UncheckedIOException;
    }

    private static int exitCode(Exception failure) {
        if (failure instanceof Failure expected) {
            return expected.exitCode();
        } else if (failure instanceof WrongUsage || failure instanceof IllegalArgumentException) {
            return ExitCode.USAGE;
        } else if (failure instanceof LeaseLostException) {
            return ExitCode.LOST;
        }
        return failure instanceof QuorumUnreachableException ? ExitCode.NO_QUORUM : ExitCode.INTERNAL;
    }
}
