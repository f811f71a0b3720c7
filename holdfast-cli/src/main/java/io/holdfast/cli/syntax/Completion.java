package io.holdfast.cli.syntax;

import java.util.List;
import java.util.stream.Collectors;

/** The completion script for bash and zsh. */
public final class Completion {

    private static final String SCRIPT = """
            # Completes holdfast in bash and zsh: source <(holdfast completion)
            [ -n "${ZSH_VERSION:-}" ] && autoload -U +X bashcompinit && bashcompinit
            _complete_holdfast() {
              local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" i
              COMPREPLY=()
              for ((i = 1; i < COMP_CWORD; i++)); do
                if [ "${COMP_WORDS[i]}" = -- ]; then
                  COMPREPLY=($([ "$before" = -- ] && compgen -c -- "$word"; compgen -f -- "$word"))
                  return
                fi
              done
              case "$before" in
                %s) COMPREPLY=($(compgen -f -- "$word")); return ;;
              esac
              case "${COMP_WORDS[*]:1:COMP_CWORD-1}" in
            %s  esac
            }
            complete -F _complete_holdfast holdfast
            """;

    private Completion() {}

    /** Returns the script for these commands. */
    public static String of(List<CommandSpec> specs) {
        String files = specs.stream()
                .flatMap(spec -> spec.options().stream())
                .filter(option -> option.label().equals("FILE"))
                .map(CommandOption::name)
                .distinct()
                .collect(Collectors.joining("|"));
        String options = specs.stream()
                .map(spec -> choice("'" + spec.name() + "'|'" + spec.name() + " '*", names(spec)))
                .collect(Collectors.joining());
        String groups = specs.stream()
                .map(CommandSpec::name)
                .filter(name -> name.contains(" "))
                .map(Completion::firstWord)
                .distinct()
                .map(group -> choice("'" + group + "'", secondWords(group, specs)))
                .collect(Collectors.joining());
        String commands =
                specs.stream().map(spec -> firstWord(spec.name())).distinct().collect(Collectors.joining(" "));
        return SCRIPT.formatted(files, options + groups + choice("''", commands));
    }

    private static String choice(String pattern, String words) {
        return "    " + pattern + ") COMPREPLY=($(compgen -W \"" + words + "\" -- \"$word\")) ;;\n";
    }

    private static String names(CommandSpec spec) {
        return spec.allOptions().stream().map(CommandOption::name).collect(Collectors.joining(" "))
                + (spec.runsProgram() ? " --" : "");
    }

    private static String firstWord(String name) {
        int end = name.indexOf(' ');
        return end < 0 ? name : name.substring(0, end);
    }

    private static String secondWords(String group, List<CommandSpec> specs) {
        return specs.stream()
                .map(CommandSpec::name)
                .filter(name -> name.startsWith(group + " "))
                .map(name -> name.substring(group.length() + 1))
                .collect(Collectors.joining(" "));
    }
}
