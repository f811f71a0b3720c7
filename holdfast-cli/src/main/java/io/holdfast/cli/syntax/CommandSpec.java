package io.holdfast.cli.syntax;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * What a command understands and says of itself: the source of its help, of its section in the manual, and of what a shell
 * completes.
 *
 * @param name its one or two words
 * @param description in one sentence
 * @param operands what stands on the line besides options
 * @param flags its own options, in the order of help
 * @param footer lines that stand at the end as they are
 */
public record CommandSpec(
        String name, String description, Operands operands, List<CommandOption> flags, String footer) {

    /** The option that all commands have. */
    public static final CommandOption HELP = CommandOption.of("-h, --help", "Show this help.");

    /**
     * @param names how help explains the names on the line; empty: there are none
     * @param many whether any number of names may stand there, and not just one
     * @param program how help explains the program that is run; empty: none is
     */
    record Operands(String names, boolean many, String program) {}

    /** A command without operands and options. */
    public static CommandSpec of(String name, String description) {
        return new CommandSpec(name, description, new Operands("", false, ""), List.of(), "");
    }

    /** The same with one name on its line. */
    public CommandSpec ofName(String explanation) {
        return with(new Operands(explanation, false, operands.program));
    }

    /** The same with any number of names on its line. */
    public CommandSpec ofNames(String explanation) {
        return with(new Operands(explanation, true, ""));
    }

    /** The same with a program to run, after two dashes. */
    public CommandSpec running(String explanation) {
        return with(new Operands(operands.names, operands.many, explanation));
    }

    /** The same with these options after those that it has. */
    public CommandSpec with(CommandOption... more) {
        return with(List.of(more));
    }

    /** The same with these options after those that it has. */
    public CommandSpec with(Collection<CommandOption> more) {
        List<CommandOption> all = new ArrayList<>(flags);
        all.addAll(more);
        return new CommandSpec(name, description, operands, all, footer);
    }

    /** The same with these lines at its end. */
    public CommandSpec ending(String newFooter) {
        return new CommandSpec(name, description, operands, flags, newFooter);
    }

    private CommandSpec with(Operands newOperands) {
        return new CommandSpec(name, description, newOperands, flags, footer);
    }

    /** Its own options, and the one that all commands have. */
    List<CommandOption> allFlags() {
        return with(HELP).flags;
    }

    boolean hasNames() {
        return !operands.names.isEmpty();
    }

    boolean runsProgram() {
        return !operands.program.isEmpty();
    }

    /** How it is written. */
    String usage() {
        String names = !hasNames() ? "" : operands.many ? " [NAME…]" : " NAME";
        return "holdfast " + name + names + " [options]" + (runsProgram() ? " -- COMMAND [ARGUMENT…]" : "");
    }
}
