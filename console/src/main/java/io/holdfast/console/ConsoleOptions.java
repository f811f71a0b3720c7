package io.holdfast.console;

import java.util.Optional;
import java.util.function.Consumer;

/**
 * The name and the permissions of a console. Immutable.
 *
 * @param name what the page calls its source, such as the name of the application
 * @param mayBreak whether a viewer may take a lock from its holder
 * @param mayAdmit whether a viewer may let new servers vote at once
 * @param log receives a line about each lock that is broken, and about each admission
 * @param demo a demonstration, which the page can stop and start
 */
public record ConsoleOptions(
        String name, boolean mayBreak, boolean mayAdmit, Consumer<String> log, Optional<ConsoleDemo> demo) {

    /** Returns options that allow a viewer to look only. */
    public static ConsoleOptions readOnly(String name) {
        return new ConsoleOptions(
                name,
                false,
                false,
                line -> System.getLogger("io.holdfast.Console").log(System.Logger.Level.INFO, line),
                Optional.empty());
    }

    /** Returns these options with other permissions. */
    public ConsoleOptions allowing(boolean breaking, boolean admitting) {
        return new ConsoleOptions(name, breaking, admitting, log, demo);
    }

    /** Returns these options with another receiver of the log. */
    public ConsoleOptions logTo(Consumer<String> receiver) {
        return new ConsoleOptions(name, mayBreak, mayAdmit, receiver, demo);
    }

    /** Returns these options with a demonstration. */
    public ConsoleOptions with(ConsoleDemo shown) {
        return new ConsoleOptions(name, mayBreak, mayAdmit, log, Optional.of(shown));
    }
}
