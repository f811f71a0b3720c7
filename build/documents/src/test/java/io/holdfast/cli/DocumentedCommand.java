package io.holdfast.cli;

import io.holdfast.cli.command.Command;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.run.DocumentedRun;
import io.holdfast.cli.syntax.Arguments;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Parses a command line of a document as the command does, and executes nothing. */
public final class DocumentedCommand {

    private static final int LONGEST_NAME = 2;
    private static final List<String> WITHOUT_SPEC = List.of("help", "version");

    private DocumentedCommand() {}

    /**
     * Parses the words after {@code holdfast}.
     *
     * @throws IllegalArgumentException if there is no such command
     * @throws RuntimeException if an option or its value is wrong
     */
    public static void parse(List<String> words) {
        Terminal terminal = new Terminal(quiet());
        Commands commands = new Commands(terminal, quiet(), "");
        for (int length = Math.min(LONGEST_NAME, words.size()); length > 0; length--) {
            String name = String.join(" ", words.subList(0, length));
            Command command = commands.find(name);
            if (command != null) {
                Arguments arguments = Arguments.of(command.spec(), words.subList(length, words.size()));
                if (name.equals("run")) {
                    DocumentedRun.check(arguments, terminal);
                }
                return;
            }
        }
        if (words.isEmpty() || !WITHOUT_SPEC.contains(words.get(0))) {
            throw new IllegalArgumentException("no such command: " + words);
        }
    }

    /** Returns whether there is a command with this name, and with this option unless the option is empty. */
    public static boolean exists(String name, String option) {
        Command command = new Commands(new Terminal(quiet()), quiet(), "").find(name);
        return WITHOUT_SPEC.contains(name)
                || (command != null
                        && (option.isEmpty()
                                || command.spec().options().stream()
                                        .anyMatch(known -> known.names().contains(option))));
    }

    private static PrintStream quiet() {
        return new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
    }
}
