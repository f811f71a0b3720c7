package io.holdfast.cli.syntax;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The syntax and description of a command: the source of its help, its section of the manual page, and its completion.
 *
 * @param name one or two words
 * @param description one sentence
 * @param operands the arguments besides options
 * @param options the options of this command, in the order of the help
 * @param footer lines that are printed unchanged at the end
 */
public record CommandSpec(
        String name, String description, Operands operands, List<CommandOption> options, String footer) {

    /** The option that all commands have. */
    public static final CommandOption HELP = CommandOption.of("-h, --help", "Show this help.");

    /**
     * The arguments besides options.
     *
     * @param names the description of the names; empty if the command takes none
     * @param required whether at least one name is needed
     * @param many whether more than one name is allowed
     * @param program the description of the program to run; empty if the command runs none
     */
    record Operands(String names, boolean required, boolean many, String program) {}

    /** Creates a spec without operands and options. */
    public static CommandSpec of(String name, String description) {
        return new CommandSpec(name, description, new Operands("", false, false, ""), List.of(), "");
    }

    /** Returns this spec with one name as operand. */
    public CommandSpec withName(String explanation) {
        return with(new Operands(explanation, true, false, operands.program));
    }

    /** Returns this spec with any number of names as operands. */
    public CommandSpec withNames(String explanation) {
        return with(new Operands(explanation, false, true, ""));
    }

    /** Returns this spec with one or more names as operands. */
    public CommandSpec withOneOrMoreNames(String explanation) {
        return with(new Operands(explanation, true, true, operands.program));
    }

    /** Returns this spec with a program to run after two dashes. */
    public CommandSpec withProgram(String explanation) {
        return with(new Operands(operands.names, operands.required, operands.many, explanation));
    }

    /** Returns this spec with these options added. */
    public CommandSpec with(CommandOption... more) {
        return with(List.of(more));
    }

    /** Returns this spec with these options added. */
    public CommandSpec with(Collection<CommandOption> more) {
        List<CommandOption> all = new ArrayList<>(options);
        all.addAll(more);
        return new CommandSpec(name, description, operands, all, footer);
    }

    /** Returns this spec with these lines at the end. */
    public CommandSpec withFooter(String newFooter) {
        return new CommandSpec(name, description, operands, options, newFooter);
    }

    private CommandSpec with(Operands newOperands) {
        return new CommandSpec(name, description, newOperands, options, footer);
    }

    /** Returns the options of this command and the help option. */
    List<CommandOption> allOptions() {
        return with(HELP).options;
    }

    boolean hasNames() {
        return !operands.names.isEmpty();
    }

    boolean runsProgram() {
        return !operands.program.isEmpty();
    }

    /** Returns the synopsis. */
    String usage() {
        String names = "NAME" + (operands.many ? "..." : "");
        return "holdfast " + name + (!hasNames() ? "" : operands.required ? " " + names : " [" + names + "]")
                + " [options]" + (runsProgram() ? " -- COMMAND [ARGUMENT...]" : "");
    }
}
