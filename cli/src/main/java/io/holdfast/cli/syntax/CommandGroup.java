package io.holdfast.cli.syntax;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The commands with one first word, such as {@code local up} and {@code local down}. Most groups contain one command,
 * of that word only.
 */
record CommandGroup(String word, List<CommandSpec> specs) {

    /** Returns the groups of these commands, in their order. */
    static List<CommandGroup> of(List<CommandSpec> specs) {
        return specs.stream()
                .collect(Collectors.groupingBy(
                        spec -> spec.name().split(" ", 2)[0], LinkedHashMap::new, Collectors.toList()))
                .entrySet()
                .stream()
                .map(group -> new CommandGroup(group.getKey(), group.getValue()))
                .toList();
    }

    /** Returns the description of the command of one word, else of the whole group. */
    String description() {
        CommandSpec first = specs.get(0);
        return first.name().equals(word)
                ? first.description()
                : pairs().stream().map(CommandGroup::secondWord).collect(Collectors.joining(", ", "One of: ", "."));
    }

    /** Returns the commands of two words. */
    List<CommandSpec> pairs() {
        return specs.stream().filter(spec -> !spec.name().equals(word)).toList();
    }

    static String secondWord(CommandSpec spec) {
        return spec.name().substring(spec.name().indexOf(' ') + 1);
    }
}
