package io.holdfast.cli;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Spec;

/** The manual page, from the same words as {@code --help}. */
@Command(
        name = "man",
        description = "Prints the manual page.",
        footer = {"", "  holdfast man | man -l -"})
final class ManCommand implements Runnable {

    private final PrintStream out;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    ManCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public void run() {
        CommandSpec root = spec.root();
        out.println(".TH HOLDFAST 1 \"\" \"" + root.version()[0] + "\"");
        out.println(".SH NAME");
        out.println("holdfast \\- " + text(root.usageMessage().description()));
        out.println(".SH SYNOPSIS");
        out.println(".B holdfast");
        out.println("COMMAND [options]");
        root.subcommands().values().stream().distinct().forEach(command -> section(command.getCommandSpec()));
        out.println(".SH FILES");
        out.println(".TP");
        out.println(".I ~/.config/holdfast/config, /etc/holdfast/config");
        out.println("nodes, user, password-file, ca, max-lease and restarts, one KEY=VALUE on a line;");
        out.println("the first file that there is counts, or the one that the variable HOLDFAST_CONFIG names.");
        out.flush();
    }

    private void section(CommandSpec command) {
        out.println(".SH " + quoted(command.qualifiedName()));
        out.println(text(command.usageMessage().description()));
        for (PositionalParamSpec parameter : command.positionalParameters()) {
            entry(parameter.paramLabel(), parameter.description());
        }
        for (OptionSpec option : command.options()) {
            String names = String.join(", ", option.names());
            entry(option.arity().max() == 0 ? names : names + " " + option.paramLabel(), option.description());
        }
        if (command.usageMessage().footer().length > 0) {
            out.println(".PP");
            out.println(".nf");
            Arrays.stream(command.usageMessage().footer())
                    .map(ManCommand::escaped)
                    .forEach(out::println);
            out.println(".fi");
        }
        command.subcommands().values().stream()
                .map(CommandLine::getCommandSpec)
                .distinct()
                .forEach(this::section);
    }

    private void entry(String name, String[] description) {
        out.println(".TP");
        out.println(".B " + quoted(name));
        out.println(text(description));
    }

    private static String text(String[] lines) {
        return escaped(Arrays.stream(lines)
                .map(String::strip)
                .collect(Collectors.joining(" "))
                .replace("$$", "$"));
    }

    private static String quoted(String name) {
        return "\"" + escaped(name) + "\"";
    }

    private static String escaped(String text) {
        String escaped = text.replace("\\", "\\e").replace("-", "\\-");
        return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
    }
}
