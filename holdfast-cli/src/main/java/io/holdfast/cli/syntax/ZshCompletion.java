package io.holdfast.cli.syntax;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The completion script for zsh, with a description of each command and option. */
public final class ZshCompletion {

    private static final String SCRIPT = """
            #compdef holdfast
            # Completes holdfast in zsh: the file _holdfast in a directory of $fpath.
            _holdfast_locks() {
              local -a locks
              locks=(${(f)"$($holdfast list --json 2>/dev/null |
                sed -n 's/^{"resource":"\\([^"\\\\]*\\)".*/\\1/p')"})
              compadd -a locks
            }
            _holdfast() {
              local holdfast=$words[1] name=$words[2]
              local -i end=${words[(i)--]} helps=0
              local -a verbs found
              verbs=(
            %s  )
              if [[ $name == help ]] && (( CURRENT > 3 )); then
                helps=1
                shift words
                (( CURRENT-- ))
                name=$words[2]
              elif (( CURRENT == 2 )) || [[ $name == help ]]; then
                _describe command verbs
                return
              fi
              # The words after the two dashes are a command line of their own.
              if (( end < CURRENT )) && [[ $name == (%s) ]]; then
                shift end words
                (( CURRENT -= end ))
                _normal
                return
              fi
              if (( CURRENT == 3 )) && [[ $words[3] != -* ]]; then
                found=()
                case $name in
            %s    esac
                (( $#found )) && _describe command found && return
              fi
              (( helps )) && return
              shift words
              (( CURRENT-- ))
              if [[ "$name $words[2]" == (%s) ]]; then
                name="$name $words[2]"
                shift words
                (( CURRENT-- ))
              fi
              case $name in
            %s  esac
            }
            if [[ $funcstack[1] == _holdfast ]]; then
              _holdfast "$@"
            else
              compdef _holdfast holdfast
            fi
            """;

    private ZshCompletion() {}

    /** Returns the script for these commands. */
    public static String of(List<CommandSpec> specs) {
        List<CommandGroup> groups = CommandGroup.of(specs);
        String commands = groups.stream()
                .map(group -> "    " + described(group.word(), group.description()) + "\n")
                .collect(Collectors.joining());
        String programs = names(specs.stream().filter(CommandSpec::runsProgram));
        String seconds = groups.stream()
                .filter(group -> !group.pairs().isEmpty())
                .map(ZshCompletion::secondWords)
                .collect(Collectors.joining());
        String pairs = names(groups.stream().flatMap(group -> group.pairs().stream()));
        String options = specs.stream().map(ZshCompletion::arguments).collect(Collectors.joining());
        return SCRIPT.formatted(commands, programs, seconds, pairs, options);
    }

    private static String names(Stream<CommandSpec> specs) {
        return specs.map(spec -> quoted(spec.name())).collect(Collectors.joining("|"));
    }

    private static String secondWords(CommandGroup group) {
        String words = group.pairs().stream()
                .map(spec -> described(CommandGroup.secondWord(spec), spec.description()))
                .collect(Collectors.joining(" "));
        return "      " + group.word() + ") found=(" + words + ") ;;\n";
    }

    /** Returns the case for the options and names of one command. */
    private static String arguments(CommandSpec spec) {
        Stream<String> options = spec.allOptions().stream().flatMap(ZshCompletion::forms);
        Stream<String> names = spec.hasNames()
                ? Stream.of(quoted((spec.operands().many() ? "*" : "1") + ":lock:_holdfast_locks"))
                : Stream.empty();
        String words = Stream.concat(options, names).collect(Collectors.joining(" \\\n      "));
        return "    " + quoted(spec.name()) + ") _arguments -S \\\n      " + words + " ;;\n";
    }

    /** Returns each name of an option, which excludes the other names. */
    private static Stream<String> forms(CommandOption option) {
        String all = "(" + String.join(" ", option.names()) + ")";
        return option.names().stream().map(name -> {
            String equals = option.hasValue() && name.startsWith("--") ? "=" : "";
            return quoted(all + name + equals + "[" + escaped(option.summary()) + "]" + value(option));
        });
    }

    private static String value(CommandOption option) {
        if (!option.hasValue()) {
            return "";
        }
        String label = escaped(option.label());
        return ":" + label + ":"
                + (option.isFile()
                        ? "_files"
                        : option.values().isEmpty() ? " " : "(" + String.join(" ", option.values()) + ")");
    }

    private static String described(String word, String description) {
        return quoted(word + ":" + description);
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }

    private static String escaped(String text) {
        return text.replaceAll("([\\[\\]:\\\\])", "\\\\$1");
    }
}
