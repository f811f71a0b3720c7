package io.holdfast.cli.syntax;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.DefaultParser;
import org.apache.commons.cli.MissingArgumentException;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;
import org.apache.commons.cli.UnrecognizedOptionException;

/** What was given to a command, and understood. */
public final class Arguments {

    private static final String END = "--";

    private final CommandSpec page;
    private final CommandLine given;
    private final List<String> names;
    private final List<String> program;

    private Arguments(CommandSpec page, CommandLine given, List<String> names, List<String> program) {
        this.page = page;
        this.given = given;
        this.names = names;
        this.program = program;
    }

    /**
     * Understands the words after the command's own.
     *
     * @throws WrongUsage if they are not what the page says
     */
    public static Arguments of(CommandSpec page, List<String> words) {
        List<String> before = beforeEnd(words);
        List<String> after = words.subList(Math.min(before.size() + 1, words.size()), words.size());
        CommandLine given = parse(page, before);
        List<String> names = page.runsProgram() ? given.getArgList() : joined(given.getArgList(), after);
        Arguments arguments = new Arguments(page, given, names, page.runsProgram() ? after : List.of());
        arguments.requireOperands();
        arguments.requireOnce();
        return arguments;
    }

    /** Whether one of the words, before those of a program to run, is this option. */
    public static boolean asks(List<String> words, CommandOption flag) {
        return beforeEnd(words).stream().anyMatch(flag.names()::contains);
    }

    private static List<String> beforeEnd(List<String> words) {
        int end = words.indexOf(END);
        return end < 0 ? words : words.subList(0, end);
    }

    private static List<String> joined(List<String> some, List<String> more) {
        return Stream.concat(some.stream(), more.stream()).toList();
    }

    private static CommandLine parse(CommandSpec page, List<String> words) {
        Options options = new Options();
        page.allFlags().forEach(flag -> options.addOption(option(flag)));
        try {
            return DefaultParser.builder()
                    .setAllowPartialMatching(false)
                    .setStripLeadingAndTrailingQuotes(false)
                    .get()
                    .parse(options, words.toArray(String[]::new));
        } catch (UnrecognizedOptionException e) {
            String wrong = e.getOption().replaceAll("=.*", "");
            throw wrong(page, "Unknown option: '" + wrong + "'" + Similar.hint(wrong, names(page.allFlags())));
        } catch (MissingArgumentException e) {
            throw wrong(
                    page,
                    "no value: --" + e.getOption().getLongOpt() + " "
                            + e.getOption().getArgName());
        } catch (ParseException e) {
            throw wrong(page, String.valueOf(e.getMessage()));
        }
    }

    private static List<String> names(List<CommandOption> flags) {
        return flags.stream().flatMap(flag -> flag.names().stream()).toList();
    }

    private static Option option(CommandOption flag) {
        String shortName = flag.names().size() > 1 ? flag.names().get(0).substring(1) : null;
        return Option.builder(shortName)
                .longOpt(flag.key())
                .hasArg(flag.hasValue())
                .argName(flag.label())
                .get();
    }

    private void requireOperands() {
        int most = !page.hasNames() ? 0 : page.operands().many() ? Integer.MAX_VALUE : 1;
        if (page.runsProgram() && program.isEmpty()) {
            throw wrong(page, "no command: write `--` and the command last, as in holdfast run NAME -- COMMAND");
        }
        if (names.size() > most) {
            throw wrong(page, "'" + names.get(most) + "' is one word too many; the command is: " + page.usage());
        }
        if (most == 1 && names.isEmpty()) {
            throw wrong(page, "no NAME; the command is: " + page.usage());
        }
    }

    private void requireOnce() {
        Set<String> seen = new HashSet<>();
        for (Option option : given.getOptions()) {
            if (option.hasArg() && !seen.add(option.getLongOpt())) {
                throw wrong(page, "--" + option.getLongOpt() + " is given twice; give it once");
            }
        }
    }

    private static WrongUsage wrong(CommandSpec page, String what) {
        return new WrongUsage(what, "holdfast " + page.name());
    }

    /** Whether the option is given. */
    public boolean has(CommandOption flag) {
        return given.hasOption(flag.key());
    }

    /** The option's value, if it is given. */
    public Optional<String> text(CommandOption flag) {
        return Optional.ofNullable(given.getOptionValue(flag.key()));
    }

    /**
     * What the option's value means, if it is given.
     *
     * @param meaning throws {@link IllegalArgumentException} for a value without one
     */
    public <T> Optional<T> value(CommandOption flag, Function<String, T> meaning) {
        try {
            return text(flag).map(meaning);
        } catch (IllegalArgumentException e) {
            throw wrong(page, flag.name() + ": " + e.getMessage());
        }
    }

    /** The one name. */
    public String name() {
        return names.get(0);
    }

    /** All names. */
    public List<String> names() {
        return names;
    }

    /** The program to run, and its arguments; not empty if the command runs one. */
    public List<String> program() {
        return program;
    }
}
