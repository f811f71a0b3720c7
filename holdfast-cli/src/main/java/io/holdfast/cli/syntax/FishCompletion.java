package io.holdfast.cli.syntax;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The completion script for fish, with a description of each command and option. */
public final class FishCompletion {

    private static final String FUNCTIONS = """
            # Completes holdfast in fish: holdfast completion fish | source
            # Returns whether the words before the cursor are exactly these.
            function __holdfast_at
                set -l words (commandline -opc)
                test "$words[2..]" = "$argv"
            end
            # Returns whether the words before the cursor begin with these and contain no two dashes.
            function __holdfast_in
                set -l words (commandline -opc)
                contains -- -- $words; and return 1
                set -l last (math (count $argv) + 1)
                test (count $words) -ge $last; and test "$words[2..$last]" = "$argv"
            end
            # Returns whether the cursor is behind the two dashes of this command.
            function __holdfast_runs
                set -l words (commandline -opc)
                contains -- -- $words; and test "$words[2]" = "$argv"
            end
            function __holdfast_program
                set -l words (commandline -opc)
                set -l first (math (contains -i -- -- $words) + 1)
                set -l line
                test $first -le (count $words); and set line (string escape -- $words[$first..-1])
                complete -C (string join -- ' ' $line (commandline -ct | string collect --allow-empty))
            end
            function __holdfast_locks
                set -l words (commandline -opc)
                command -q $words[1]; or return
                $words[1] list --json 2>/dev/null | sed -n 's/^{"resource":"\\([^"\\\\]*\\)".*/\\1/p'
            end
            complete -c holdfast -f
            """;

    private FishCompletion() {}

    /** Returns the script for these commands. */
    public static String of(List<CommandSpec> specs) {
        List<CommandGroup> groups = CommandGroup.of(specs);
        Stream<String> commands = groups.stream().map(group -> words("at", "", group.word(), group.description()));
        Stream<String> help = groups.stream().map(group -> words("at", " help", group.word(), group.description()));
        Stream<String> pairs = groups.stream().flatMap(group -> secondWords(" ", group));
        Stream<String> pairsOfHelp = groups.stream().flatMap(group -> secondWords(" help ", group));
        Stream<String> details = specs.stream().flatMap(FishCompletion::details);
        return Stream.of(Stream.of(FUNCTIONS), commands, help, pairs, pairsOfHelp, details)
                .flatMap(lines -> lines)
                .collect(Collectors.joining());
    }

    private static Stream<String> secondWords(String before, CommandGroup group) {
        return group.pairs().stream()
                .map(spec -> words("at", before + group.word(), CommandGroup.secondWord(spec), spec.description()));
    }

    private static String words(String function, String arguments, String words, String description) {
        return line("__holdfast_" + function + arguments, "-a " + quoted(words), description);
    }

    private static Stream<String> details(CommandSpec spec) {
        String condition = "__holdfast_in " + spec.name();
        Stream<String> options =
                spec.allOptions().stream().map(option -> line(condition, names(option), option.summary()));
        Stream<String> locks =
                spec.hasNames() ? Stream.of(line(condition, "-a '(__holdfast_locks)'", "lock")) : Stream.empty();
        Stream<String> program = spec.runsProgram()
                ? Stream.of(line("__holdfast_runs " + spec.name(), "-x -a '(__holdfast_program)'", ""))
                : Stream.empty();
        return Stream.of(options, locks, program).flatMap(lines -> lines);
    }

    /** Returns the names of an option and the kind of its value. */
    private static String names(CommandOption option) {
        String names = option.names().stream()
                .map(name -> name.startsWith("--") ? "-l " + name.substring(2) : "-s " + name.substring(1))
                .collect(Collectors.joining(" "));
        if (!option.hasValue()) {
            return names;
        }
        return names
                + (option.isFile()
                        ? " -r -F"
                        : " -x"
                                + (option.values().isEmpty()
                                        ? ""
                                        : " -a " + quoted(String.join(" ", option.values()))));
    }

    private static String line(String condition, String what, String description) {
        return "complete -c holdfast -n " + quoted(condition) + " " + what
                + (description.isEmpty() ? "" : " -d " + quoted(description)) + "\n";
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
