package io.holdfast.cli;

import java.util.List;

/** The shells that may execute the script of the command, as far as this machine has them. */
final class Shells {

    private static final List<String> ALL = List.of("dash", "bash", "bash --posix", "busybox sh");

    private Shells() {}

    /** Returns the first shell that is installed; in the profile {@code evidence} all of them. */
    static List<String> tried() {
        return Variants.first(1, ALL.stream().filter(shell -> PackagedCommand.shell(shell + " -c : 2>/dev/null")));
    }
}
