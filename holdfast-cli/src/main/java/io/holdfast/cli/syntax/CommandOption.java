package io.holdfast.cli.syntax;

import java.util.List;

/**
 * An option of a command, and what help says of it.
 *
 * @param names as they are written, such as {@code -n} and {@code --no-wait}; the long one is the last
 * @param label what help calls its value; empty if it has none
 * @param description in one or more sentences
 */
public record CommandOption(List<String> names, String label, String description) {

    /** One without a value; the names have commas between them. */
    public static CommandOption of(String names, String description) {
        return of(names, "", description);
    }

    /** One with a value. */
    public static CommandOption of(String names, String label, String description) {
        return new CommandOption(List.of(names.split(", ", -1)), label, description);
    }

    /** Its long name, with the dashes. */
    public String name() {
        return names.get(names.size() - 1);
    }

    /** The same without the dashes, as a configuration file says it. */
    public String key() {
        return name().substring("--".length());
    }

    boolean hasValue() {
        return !label.isEmpty();
    }

    /** As help writes it. */
    String usage() {
        return String.join(", ", names) + (hasValue() ? " " + label : "");
    }
}
