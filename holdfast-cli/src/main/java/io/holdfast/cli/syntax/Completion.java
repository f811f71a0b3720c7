package io.holdfast.cli.syntax;

import java.util.List;
import java.util.stream.Collectors;

/** What bash, and zsh by its help, needs to complete commands and options. */
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

    /** The script for these commands. */
    public static String of(List<CommandSpec> pages) {
        String files = pages.stream()
                .flatMap(page -> page.flags().stream())
                .filter(flag -> flag.label().equals("FILE"))
                .map(CommandOption::name)
                .distinct()
                .collect(Collectors.joining("|"));
        String options = pages.stream()
                .map(page -> choice("'" + page.name() + "'|'" + page.name() + " '*", names(page)))
                .collect(Collectors.joining());
        String groups = pages.stream()
                .map(CommandSpec::name)
                .filter(name -> name.contains(" "))
                .map(Completion::firstWord)
                .distinct()
                .map(group -> choice("'" + group + "'", secondWords(group, pages)))
                .collect(Collectors.joining());
        String commands =
                pages.stream().map(page -> firstWord(page.name())).distinct().collect(Collectors.joining(" "));
        return SCRIPT.formatted(files, options + groups + choice("''", commands));
    }

    private static String choice(String pattern, String words) {
        return "    " + pattern + ") COMPREPLY=($(compgen -W \"" + words + "\" -- \"$word\")) ;;\n";
    }

    private static String names(CommandSpec page) {
        return page.allFlags().stream().map(CommandOption::name).collect(Collectors.joining(" "))
                + (page.runsProgram() ? " --" : "");
    }

    private static String firstWord(String name) {
        int end = name.indexOf(' ');
        return end < 0 ? name : name.substring(0, end);
    }

    private static String secondWords(String group, List<CommandSpec> pages) {
        return pages.stream()
                .map(CommandSpec::name)
                .filter(name -> name.startsWith(group + " "))
                .map(name -> name.substring(group.length() + 1))
                .collect(Collectors.joining(" "));
    }
}
