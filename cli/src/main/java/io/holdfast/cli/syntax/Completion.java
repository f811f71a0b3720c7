package io.holdfast.cli.syntax;

import java.util.List;
import java.util.stream.Collectors;

/** The completion script for bash and zsh. */
public final class Completion {

    private static final String SCRIPT = """
            # Completes holdfast in bash and zsh: source <(holdfast completion)
            [ -n "${ZSH_VERSION:-}" ] && autoload -U +X bashcompinit && bashcompinit
            _holdfast_words() { COMPREPLY=($(compgen -W "$1" -- "$word")); }
            _holdfast_files() {
              [ -n "${BASH_VERSION:-}" ] && compopt -o filenames 2>/dev/null
              COMPREPLY=($(compgen -f -- "$word"))
            }
            # Compares and quotes the names of locks, and expands none: clients of the servers may choose any.
            _holdfast_locks() {
              local names name before=
              # Bash replaces what follows the last separator, and that as well if it is @.
              [ "$word" = "$typed" ] || before="${typed%%"${typed##*[:=@]}"}"
              before="${before%%@}"
              names="$("${COMP_WORDS[0]}" list --json 2>/dev/null |
                sed -n 's/^{"resource":"\\([^"\\\\]*\\)".*/\\1/p')"
              while IFS= read -r name && [ -n "$name" ]; do
                name="$(printf %%q "$name")"
                case "$name" in "$typed"*) COMPREPLY+=("${name#"$before"}") ;; esac
              done <<<"$names"
            }
            _complete_holdfast() {
              local IFS=$'\\n' word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" i
              local typed="${COMP_LINE:0:$COMP_POINT}"
              typed="${typed##* }"
              [ ${#word} -le ${#typed} ] || typed="$word"
              COMPREPLY=()
              for ((i = 1; i < COMP_CWORD; i++)); do
                if [ "${COMP_WORDS[i]}" = -- ]; then
                  if [ "$before" = -- ]; then
                    COMPREPLY=($({ compgen -c -- "$word"; compgen -f -- "$word"; } | sort -u))
                  else
                    _holdfast_files
                  fi
                  return
                fi
              done
              if [ "$word" = = ]; then word=; elif [ "$before" = = ]; then before="${COMP_WORDS[COMP_CWORD-2]}"; fi
              case "$before" in
                %s) _holdfast_files; return ;;
            %s  esac
              IFS=' '
              local line="${COMP_WORDS[*]:1:$((COMP_CWORD-1))}"
              # Unlike in the name of a lock, some signs separate words in bash.
              if [ "$word" != "$typed" ]; then
                line="${COMP_LINE:0:$COMP_POINT}"
                line="${line%%"$typed"}"
                line="${line#* }"
                line="${line%% }"
              fi
              IFS=$' \\t\\n'
              case "$word" in -*) ;; *)
                case "$line" in
                  %s) _holdfast_locks; return ;;
                esac
              esac
              case "$line" in
            %s  esac
            }
            complete -F _complete_holdfast holdfast ./holdfast
            """;

    private Completion() {}

    /** Returns the script for these commands. */
    public static String of(List<CommandSpec> specs) {
        String files = specs.stream()
                .flatMap(spec -> spec.options().stream())
                .filter(CommandOption::isFile)
                .map(CommandOption::name)
                .distinct()
                .collect(Collectors.joining("|"));
        String values = specs.stream()
                .flatMap(spec -> spec.options().stream())
                .filter(option -> !option.values().isEmpty())
                .distinct()
                .map(option -> "    " + option.name() + ") _holdfast_words \"" + String.join("\n", option.values())
                        + "\"; return ;;\n")
                .collect(Collectors.joining());
        String locks = specs.stream()
                .filter(CommandSpec::hasNames)
                .map(spec -> "'" + spec.name() + "'")
                .collect(Collectors.joining("|"));
        String options = specs.stream()
                .map(spec -> choice("'" + spec.name() + "'|'" + spec.name() + " '*", names(spec)))
                .collect(Collectors.joining());
        List<String> words = specs.stream()
                .map(spec -> spec.name().split(" ", 2)[0])
                .distinct()
                .toList();
        String groups = words.stream().map(word -> group(word, specs)).collect(Collectors.joining());
        String commands = String.join(" ", words);
        return SCRIPT.formatted(
                files, values, locks, groups + options + choice("''|'help'", commands + " help version"));
    }

    /** Completes the second words of commands such as {@code local up} and {@code local down}. */
    private static String group(String word, List<CommandSpec> specs) {
        String seconds = specs.stream()
                .map(CommandSpec::name)
                .filter(name -> name.startsWith(word + " "))
                .map(name -> name.substring(word.length() + 1))
                .collect(Collectors.joining(" "));
        if (seconds.isEmpty()) {
            return "";
        }
        String own = specs.stream()
                .filter(spec -> spec.name().equals(word))
                .map(spec -> " " + names(spec))
                .collect(Collectors.joining());
        return choice("'" + word + "'", seconds + own) + choice("'help " + word + "'", seconds);
    }

    private static String choice(String pattern, String words) {
        return "    " + pattern + ") _holdfast_words \"" + words + "\" ;;\n";
    }

    private static String names(CommandSpec spec) {
        return spec.allOptions().stream()
                        .flatMap(option -> option.names().stream())
                        .collect(Collectors.joining(" "))
                + (spec.runsProgram() ? " --" : "");
    }
}
