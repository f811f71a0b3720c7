package io.holdfast.cli.syntax;

import java.util.List;

/**
 * An option of a command and its help text.
 *
 * @param names the names with dashes, such as {@code -n} and {@code --no-wait}; the long name is the last
 * @param label the name of the value in the help; empty for an option without a value
 * @param description one or more sentences
 */
public record CommandOption(List<String> names, String label, String description) {

    private static final String SEPARATOR = ", ";

    /** Creates an option without a value; a comma separates its short name from the long one. */
    public static CommandOption of(String names, String description) {
        return of(names, "", description);
    }

    /** Creates an option with a value. */
    public static CommandOption of(String names, String label, String description) {
        int comma = names.indexOf(SEPARATOR);
        List<String> all = comma < 0
                ? List.of(names)
                : List.of(names.substring(0, comma), names.substring(comma + SEPARATOR.length()));
        return new CommandOption(all, label, description);
    }

    /** Returns the long name with its dashes. */
    public String name() {
        return names.get(names.size() - 1);
    }

    /** Returns the long name without its dashes, as in a configuration file. */
    public String key() {
        return name().substring("--".length());
    }

    /** Returns whether the option takes a value. */
    public boolean hasValue() {
        return !label.isEmpty();
    }

    /** Returns whether the value is the name of a file. */
    boolean isFile() {
        return label.equals("FILE");
    }

    /** Returns the possible values, if there are a few; otherwise an empty list. */
    public List<String> values() {
        return label.contains("|") ? List.of(label.split("\\|", -1)) : List.of();
    }

    /**
     * Returns this value.
     *
     * @throws IllegalArgumentException if there are a few possible values, and this is none of them
     */
    public String checked(String value) {
        if (!values().isEmpty() && !values().contains(value)) {
            throw new IllegalArgumentException("'" + value + "' is none of " + String.join(", ", values()));
        }
        return value;
    }

    /** Returns the names and the label as the help prints them. */
    String usage() {
        return String.join(SEPARATOR, names) + (hasValue() ? " " + label : "");
    }
}
