package io.holdfast.cli;

/**
 * Signals, by the one interface to them that Java has: it does not promise to keep it, and its mention is a warning that nothing in a
 * source can switch off, so this file is compiled by itself, see the pom. Every JDK from 1.2 to 25 has it. By reflection it would take a
 * tenth of a short run.
 */
final class SignalPort {

    private SignalPort() {}

    /** From now on this process does that when it gets the signal, such as {@code TERM}. */
    static void handle(String name, Runnable action) {
        sun.misc.Signal.handle(new sun.misc.Signal(name), signal -> action.run());
    }
}
