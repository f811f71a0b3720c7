package io.holdfast.cli.syntax;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.DefaultParser;
import org.apache.commons.cli.MissingArgumentException;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;
import org.apache.commons.cli.UnrecognizedOptionException;

/** The parsed arguments of a command. */
public final class Arguments {

    private static final String END = "--";

    /** Java decodes bytes that are no text to this character. */
    private static final char UNDECODABLE = '\uFFFD';

    private final CommandSpec spec;
    /** The options that are present, by their long names. */
    private final Map<String, Option> options;

    private final List<String> names;
    private final List<String> program;
    private final List<String> words;

    private Arguments(
            CommandSpec spec,
            Map<String, Option> options,
            List<String> names,
            List<String> program,
            List<String> words) {
        this.words = words;
        this.spec = spec;
        this.options = options;
        this.names = names;
        this.program = program;
    }

    /**
     * Parses the words after the name of the command.
     *
     * @throws WrongUsage if the words do not match the spec
     */
    public static Arguments of(CommandSpec spec, List<String> words) {
        List<String> before = beforeEnd(words);
        List<String> after = words.subList(Math.min(before.size() + 1, words.size()), words.size());
        CommandLine parsed = parse(spec, before);
        List<String> names = spec.runsProgram() ? parsed.getArgList() : concat(parsed.getArgList(), after);
        Map<String, Option> options = new HashMap<>();
        List<String> program = spec.runsProgram() ? after : List.of();
        Arguments arguments = new Arguments(spec, options, names, program, words);
        arguments.requireOperands();
        arguments.requireText();
        for (Option option : parsed.getOptions()) {
            if (options.put(option.getLongOpt(), option) != null && option.hasArg()) {
                throw wrong(spec, "--" + option.getLongOpt() + " is given twice; write it once");
            }
        }
        return arguments;
    }

    /** Returns whether the words contain this option before the two dashes. */
    public static boolean contains(List<String> words, CommandOption option) {
        return !Collections.disjoint(beforeEnd(words), option.names());
    }

    private static List<String> beforeEnd(List<String> words) {
        int end = words.indexOf(END);
        return end < 0 ? words : words.subList(0, end);
    }

    private static List<String> concat(List<String> some, List<String> more) {
        return Stream.concat(some.stream(), more.stream()).toList();
    }

    private static CommandLine parse(CommandSpec spec, List<String> words) {
        Options options = new Options();
        spec.allOptions().forEach(option -> options.addOption(toOption(option)));
        try {
            return DefaultParser.builder()
                    .setAllowPartialMatching(false)
                    .setStripLeadingAndTrailingQuotes(false)
                    .get()
                    .parse(options, words.toArray(String[]::new));
        } catch (UnrecognizedOptionException e) {
            String wrong = e.getOption().replaceAll("=.*", "");
            if (!wrong.equals(e.getOption()) && names(spec.allOptions()).contains(wrong)) {
                throw wrong(spec, wrong + " takes no value; write it alone");
            }
            throw wrong(spec, "unknown option '" + wrong + "'" + Similar.hint(wrong, names(spec.allOptions())));
        } catch (MissingArgumentException e) {
            throw wrong(
                    spec,
                    "--" + e.getOption().getLongOpt() + " needs a value: "
                            + e.getOption().getArgName()
                            + (e.getOption().getArgName().equals("DURATION") ? ", such as 30s" : ""));
        } catch (ParseException e) {
            throw wrong(spec, String.valueOf(e.getMessage()));
        }
    }

    private static List<String> names(List<CommandOption> options) {
        return options.stream().flatMap(option -> option.names().stream()).toList();
    }

    private static Option toOption(CommandOption option) {
        String shortName = option.names().size() > 1 ? option.names().get(0).substring(1) : null;
        return Option.builder(shortName)
                .longOpt(option.key())
                .hasArg(option.hasValue())
                .argName(option.label())
                .get();
    }

    private void requireOperands() {
        int most = !spec.hasNames() ? 0 : spec.operands().many() ? Integer.MAX_VALUE : 1;
        if (spec.runsProgram() && program.isEmpty()) {
            throw wrong(
                    spec,
                    "no command: write `--` and the command last, as in holdfast run NAME -- COMMAND, or the word"
                            + " -c and a command line, as in holdfast run NAME -c 'a | b'");
        }
        if (names.size() > most) {
            throw wrong(spec, "'" + names.get(most) + "' is one word too many; write " + spec.usage());
        }
        if (spec.operands().required() && names.isEmpty()) {
            throw wrong(spec, "no NAME; write " + spec.usage());
        }
    }

    /** Rejects a name that would become equal to other names, because its bytes were no UTF-8. */
    private void requireText() {
        if (String.join("", names).indexOf(UNDECODABLE) >= 0) {
            throw wrong(spec, "the name of the lock is not text in UTF-8; write it in UTF-8");
        }
    }

    private static WrongUsage wrong(CommandSpec spec, String error) {
        return new WrongUsage(error, "holdfast " + spec.name());
    }

    /** Returns whether the option is present. */
    public boolean has(CommandOption option) {
        return options.containsKey(option.key());
    }

    /** Returns the value of the option, if it is present. */
    public Optional<String> text(CommandOption option) {
        return Optional.ofNullable(options.get(option.key())).map(Option::getValue);
    }

    /**
     * Returns the parsed value of the option, if it is present.
     *
     * @param parser throws {@link IllegalArgumentException} for a wrong value
     */
    public <T> Optional<T> value(CommandOption option, Function<String, T> parser) {
        try {
            return text(option).map(option::checked).map(parser);
        } catch (IllegalArgumentException e) {
            throw wrong(spec, option.name() + ": " + e.getMessage());
        }
    }

    /** Returns the first name. */
    public String name() {
        return names.get(0);
    }

    /** Returns the position of a name among the words after the name of the command, counted from 1. */
    public int position(String name) {
        return words.indexOf(name) + 1;
    }

    /** Returns all names. */
    public List<String> names() {
        return names;
    }

    /** Returns the program to run and its arguments; empty if the command runs none. */
    public List<String> program() {
        return program;
    }
}
